/**
 * All that this program prints. Texts of boards, names of files and options that a person typed are in it: whatever they hold,
 * a terminal gets no control character from them, only escapes that can be read.
 */
import { escapeControls } from "../errors.ts";
import { plainJson } from "../log/file/json-text.ts";

/** Every line of a text, with each control character but the ends of the lines as an escape. */
export function printable(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}

/** @param text lines, each with its end */
export function print(text: string, out: NodeJS.WriteStream = process.stdout): void {
  out.write(printable(text));
}

/** One JSON object on a line of stdout, or elsewhere. */
export function printJson(value: unknown, out: NodeJS.WriteStream = process.stdout): void {
  out.write(`${plainJson(value)}\n`);
}

/** One line on stderr: what is wrong, where, what to try. */
export function complain(words: string): void {
  process.stderr.write(`ringlab: ${escapeControls(words)}\n`);
}

/**
 * Colours and movements of the cursor, for a terminal.
 * @param text made here; what it says of others is escaped already
 */
export function draw(text: string, out: NodeJS.WriteStream): void {
  out.write(text);
}

/** Has more been printed than is read, by so much that lines should be left out? */
export function isBehind(out: NodeJS.WriteStream): boolean {
  return out.writableLength > MOST_UNREAD;
}

const MOST_UNREAD = 4 * 1024 * 1024;
