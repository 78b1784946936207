/** Finds the frames in bytes that were captured on a line, with the firmware's own reader. */
import "../../protocols/registry.ts";
import { createReader, feed } from "../../../firmware/reader.js";
import { frameTypes } from "../../../firmware/registry.js";
import { crcOfBytes, wireLine } from "../crc.ts";

/** Longest line, characters: the list of an election among thousands. */
const LINE_LIMIT = 64 * 1024;

const NEWLINE = 10;

export interface CapturedFrame {
  /** As the frame stands on the wire; undefined where the bytes are no good frame. */
  line?: string;
  /** Why they are none. */
  cause?: string;
  /** When its first bit came, microseconds on the capture's own time line; undefined where it has none. */
  at?: number;
}

/** Takes bytes one by one and gathers the frames. Lines without a `$`, such as a board's other output, are passed over. */
export class FrameDecoder {
  readonly frames: CapturedFrame[] = [];
  readonly #reader = createReader(LINE_LIMIT);
  #text = "";
  /** When the last `$` of the line came. */
  #at: number | undefined;

  /** @param at microseconds at which the byte's start bit began */
  byte(code: number, at?: number): void {
    if (code !== NEWLINE) {
      if (code === 0x24) this.#at = at;
      if (this.#text.length <= LINE_LIMIT) this.#text += String.fromCharCode(code);
      return;
    }
    const text = this.#text;
    this.#text = "";
    if (!text.includes("$")) return;
    this.#reader.refused = {};
    const [frame] = feed(this.#reader, `${text}\n`, crcOfBytes, frameTypes);
    const found: CapturedFrame = frame
      ? { line: wireLine(frame) }
      : { cause: Object.keys(this.#reader.refused).at(-1) ?? "no-start" };
    this.frames.push(this.#at === undefined ? found : { ...found, at: this.#at });
  }
}
