/** One line that says how far a long job is, on a terminal only; it is wiped when the job is done. */
import { escapeControls } from "../errors.ts";
import { draw } from "./terminal.ts";

const EVERY_MS = 200;
const WIPE = "\r\x1b[K";

export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #label: string;
  #next = performance.now() + EVERY_MS;
  #shown = false;

  constructor(label: string, out: NodeJS.WriteStream = process.stderr) {
    this.#label = escapeControls(label);
    this.#out = out;
  }

  /** @param part 0 to 1; undefined where the whole is not known @param more stands after it */
  show(part: number | undefined, more = ""): void {
    if (!this.#out.isTTY || performance.now() < this.#next) return;
    this.#next = performance.now() + EVERY_MS;
    this.#shown = true;
    const share = part === undefined ? "..." : ` ${Math.floor(part * 100)} %`;
    draw(`${WIPE}${this.#label}${share}${more}`, this.#out);
  }

  done(): void {
    if (this.#shown) draw(WIPE, this.#out);
    this.#shown = false;
  }
}
