/** The far end of a port in the test's hands: it sees every line of the host and says what the test wants. */
import { lineCheck } from "../../src/host/console/console-line.ts";
import type { Link } from "../../src/link/link.ts";
import { memoryPair } from "../../src/link/memory.ts";

export interface Peer {
  link: Link;
  /** Lines that the host has sent. */
  readonly lines: string[];
  say(text: string): void;
  /** Bytes as they come, when a test sets it. */
  onBytes?: (bytes: Uint8Array) => void;
  unplug(): void;
  plug(): void;
}

/** @param answer what to say to a line of the host, undefined for nothing */
export function peer(answer: (line: string) => string | undefined, path = "port"): Peer {
  const pair = memoryPair({
    paths: { a: path, b: `${path} (board)` },
    capacity: 4 * 1024 * 1024,
    lineLimit: 4096,
  });
  const lines: string[] = [];
  const listen = () => {
    pair.b.listener = {
      onBytes: (bytes) => made.onBytes?.(bytes),
      onLine: (line) => {
        lines.push(line);
        const said = answer(line);
        if (said !== undefined) pair.b.write(said);
      },
    };
    void pair.b.open();
  };
  const made: Peer = {
    link: pair.a,
    lines,
    say: (text) => void pair.b.write(text),
    unplug: () => pair.unplug(),
    plug: () => {
      pair.plug();
      listen();
    },
  };
  listen();
  return made;
}

export const isSync = (line: string): boolean => line.includes('print("<SY"+"NC>")');

/** A record as a board prints it, with its check and a newline. @param text `<time>,<event>,<args>` */
export const record = (text: string): string => `@${text}*${lineCheck(text)}\r\n`;

/** The number of a call, which its answer repeats. */
export const callNumber = (line: string): number => Number(/station\.\w+\((\d+)/.exec(line)?.[1] ?? -1);

/** What a station with our firmware answers; `info` is what it says of itself. */
export function stationAnswers(
  info: object,
  extra: (line: string) => string = () => "",
): (line: string) => string {
  let now = 0;
  return (line) => {
    now += 1000;
    if (isSync(line)) return "<SYNC>\r\n";
    const n = callNumber(line);
    if (n < 0) return "";
    const body = line.includes("station.info(") ? `info,${n},${JSON.stringify(info)}` : `ack,${n}`;
    return `${record(`${now},${body}`)}${extra(line)}`;
  };
}

export const INFO = {
  console: 2,
  id: 3,
  boot: 7,
  board: "EMULATED",
  version: "2v29",
  serial: "x",
  usage: 1,
  total: 2,
};
