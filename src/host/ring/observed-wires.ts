/** Who hears whom on a wired ring, from the frames themselves: those for the successor only name who sent them. */
import { NEIGHBOUR } from "../../../firmware/frame.js";
import type { Frame } from "../../../firmware/types.d.ts";
import { type Clock, hostClock, pause } from "../../link/time.ts";
import type { RingStation } from "./ring-station.ts";
import { orderOf } from "./wire-order.ts";

/** Frames may have been on their way while a relay switched: so many one after the other are no accident ... */
const NO_ACCIDENT = 3;
/** ... where they come for so long, µs: a relay that a bench panel switches takes its time. */
const SWITCHED_MICROS = 1_000_000;
/** A HEL that was asked for is heard within this, at 9600 baud and over a slow console, ms. */
const HELLO_MS = 600;
const LOOK_MS = 10;

/** What a station has heard of others than its predecessor. */
interface Others {
  /** How often in a row. */
  count: number;
  /** Host time of the first, µs. */
  since: number;
  told: boolean;
}

export class ObservedWires {
  readonly #stations: readonly RingStation[];
  readonly #predecessor: (position: number) => number;
  readonly #remark: (text: string) => void;
  readonly #clock: Clock;
  readonly #heard: (number | undefined)[];
  readonly #others: Others[];

  /**
   * @param predecessor place of the station that a station should hear
   * @param remark told once when somebody hears another than that
   * @param clock host time, µs
   */
  constructor(
    stations: readonly RingStation[],
    predecessor: (position: number) => number,
    remark: (text: string) => void,
    clock: Clock = hostClock,
  ) {
    this.#clock = clock;
    this.#stations = stations;
    this.#predecessor = predecessor;
    this.#remark = remark;
    this.#heard = stations.map(() => undefined);
    this.#others = stations.map(() => ({ count: 0, since: 0, told: false }));
  }

  /** A station has heard a frame. @returns id of the station that transmitted it, as far as is known */
  take(position: number, frame: Frame): number {
    if (frame.dst === NEIGHBOUR) this.hears(position, frame.src);
    return this.#heard[position] ?? this.#given(position);
  }

  hears(position: number, id: number): void {
    this.#heard[position] = id;
    const given = this.#given(position);
    const others = this.#others[position] as Others;
    if (id === given) Object.assign(others, { count: 0, told: false });
    else if (others.count++ === 0) others.since = this.#clock();
    if (others.told || others.count < NO_ACCIDENT || this.#clock() - others.since < SWITCHED_MICROS) return;
    others.told = true;
    this.#remark(`station ${this.#id(position)} hears ${id}, not ${given}: its wire was led elsewhere`);
  }

  /** Asks every station to say hello. @returns what is wrong with the order, one line; null: nothing is known to be */
  async problem(): Promise<string | null> {
    await Promise.all(this.#stations.map((station) => station.command("hello")));
    for (let waited = 0; this.#heard.includes(undefined) && waited < HELLO_MS; waited += LOOK_MS)
      await pause(LOOK_MS);
    if (this.#heard.every((id, position) => id === undefined || id === this.#given(position))) return null;
    const { order, problems } = orderOf(
      this.#stations.map(({ id }, position) => {
        const heard = this.#heard[position];
        return { id, hears: heard === undefined ? [] : [heard], junk: false };
      }),
    );
    if (!order) return `the wires are not those of this ring: ${problems.join("; ")}`;
    const ports = order.map((id) => this.#stations.find((station) => station.id === id)?.where);
    const given = this.#stations.map(({ id }) => id);
    return `the boards are wired ${arrows(order)}, not ${arrows(given)}: name them in that order (${ports.join(",")})`;
  }

  #id(position: number): number {
    return (this.#stations[position] as RingStation).id;
  }

  #given(position: number): number {
    return this.#id(this.#predecessor(position));
  }
}

function arrows(ids: readonly number[]): string {
  return `${ids.join(" → ")} →`;
}
