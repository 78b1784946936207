/**
 * How fast the lines of a bench are. Ports are opened, UARTs configured, limits computed and frames timed by these
 * numbers, so that they cannot contradict one another.
 */
import type { Bench } from "../../bench-file/load-bench.ts";

/** Of a port whose speed nobody says; USB and TCP have none. */
const USUAL_BAUD = 115_200;
/** What stands around a frame on a console: `@<time>,tx,`, `\x10station.frame(<n>,"...")` and `@<time>,ack,<n>`. */
const HUB_BYTES = 64;
/** `@<time>,rx,` and the frame in it: what a board of a wired ring tells of each. */
const WIRED_BYTES = 66;

export interface LineSpeeds {
  /** Of each station's console, in the order of the bench, bits per second. */
  consoles: number[];
  /** Of the slowest line that a frame crosses: a console on a hub, a UART in a wired ring. */
  ring: number;
  /** What a console adds to the time of one frame, µs; 0 where none is a UART. */
  consoleMicros: number;
}

/** @returns the speed that the bench says, else that of the boards' own consoles and links */
export function speedsOf({ wiring, baud, stations }: Bench): LineSpeeds {
  const hub = wiring === "hub";
  const uarts = stations.map(({ profile }) => (hub ? baud : undefined) ?? profile.console.baud);
  const consoles = uarts.map((speed) => speed ?? USUAL_BAUD);
  const links = stations.map(({ profile }) => baud ?? profile.link?.baud ?? USUAL_BAUD);
  const slowest = Math.min(...uarts.filter((speed) => speed !== undefined));
  return {
    consoles,
    ring: Math.min(...(hub ? consoles : links)),
    consoleMicros: Math.ceil(((hub ? HUB_BYTES : WIRED_BYTES) * 10_000_000) / slowest),
  };
}
