/** One line of a board's console, understood. */

const CURSOR_CODES = /\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f]/g;
const RECORD = /^>*@(\d{1,16}),([a-z]{1,16})(?:,(.*))?$/;

export type ConsoleLine =
  | { kind: "empty" }
  /** Anything else that a board prints: banners, errors, what a person typed. */
  | { kind: "text"; text: string }
  /** `board`: the board's time in µs; `rest`: what follows the event, "" for nothing. */
  | { kind: "record"; board: number; event: string; rest: string };

/** @param raw a line as it came, with the prompts and cursor codes of the REPL in it */
export function readLine(raw: string): ConsoleLine {
  const text = raw.replace(CURSOR_CODES, "").trim();
  const match = RECORD.exec(text);
  if (match)
    return { kind: "record", board: Number(match[1]), event: match[2] as string, rest: match[3] ?? "" };
  return text === "" || text === ">" ? { kind: "empty" } : { kind: "text", text };
}
