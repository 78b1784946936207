/** The pins of one board by name: those of its profile, and every other that is called as Espruino calls pins. */
import type { BoardProfile } from "../bench-file/profile-schema.ts";
import { quote, UsageError } from "../errors.ts";
import { PIN_NAME } from "../host/console/pin-calls.ts";

export class PinNames {
  readonly #names: string[] = [];
  readonly #buttons = new Set<string>();
  /** Pins that carry the ring or the console, with what they do. */
  readonly #taken = new Map<string, string>();
  readonly #profile: BoardProfile | undefined;

  constructor(profile?: BoardProfile) {
    this.#profile = profile;
    this.#buttons.add("BTN1");
    if (!profile) return;
    const { link, console } = profile;
    for (const pin of [link?.rx, link?.tx]) if (pin) this.#taken.set(pin, `the ring (${link?.uart})`);
    for (const pin of [console.rx, console.tx]) if (pin) this.#taken.set(pin, "the console");
    for (const { name, pin } of profile.buttons) for (const one of [name, pin]) this.#buttons.add(one);
  }

  /** LEDs and buttons by the names that they are used by; never none, since board-io wants a pin. */
  get known(): string[] {
    if (!this.#profile) return ["LED1", "BTN1"];
    const names = [...this.#profile.leds, ...this.#profile.buttons].map(({ name }) => name);
    return names.length ? names : ["D0"];
  }

  /** @throws UsageError for what is no pin of this board, or one that it needs for itself */
  indexOf(name: string): number {
    const use = this.#taken.get(name);
    if (use !== undefined) throw new UsageError(`${name} carries ${use}: use another pin`);
    if (!PIN_NAME.test(name) || (this.#profile && /^(LED|BTN)/.test(name) && !this.known.includes(name))) {
      throw new UsageError(
        `${quote(name)} is no pin of this board: it has ${this.known.join(", ")} and pins such as B5`,
      );
    }
    const index = this.#names.indexOf(name);
    return index >= 0 ? index : this.#names.push(name) - 1;
  }

  find(name: string): number | undefined {
    const index = this.#names.indexOf(name);
    return index < 0 ? undefined : index;
  }

  name(index: number): string {
    return this.#names[index] as string;
  }

  isButton(index: number): boolean {
    return this.#buttons.has(this.name(index));
  }
}
