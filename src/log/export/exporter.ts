import type { RunSource } from "../file/source.ts";

/** Writes a run in the format of another program. */
export interface Exporter {
  /** As `--to` names it. */
  name: string;
  /** Ending of the file's name, with its point. */
  ending: string;
  /** How every such file begins, one character a byte. */
  begins: string;
  /** What opens it, in a few words. */
  about: string;
  /** Why a part of a run must not be exported; absent where it may. */
  whole?: string;
  /**
   * The file in pieces. Reads the run block by block, once or twice; a piece may be empty, so that the caller gets a
   * turn after every block.
   */
  pieces(source: RunSource): Iterable<string | Uint8Array>;
}

/** Gathers small texts into pieces of a useful size. */
export function* gathered(texts: Iterable<string>): Generator<string, void, void> {
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (text && piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  if (piece) yield piece;
}

const PIECE = 64 * 1024;
