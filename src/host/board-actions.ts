/** The actions of a script that can be done to a ring of boards: commands, and the power of emulated ones. */
import { quote, UsageError } from "../errors.ts";
import type { Action } from "../simulation/script.ts";
import type { BenchRing } from "./bench-ring.ts";
import type { RingStation } from "./ring-station.ts";

type Act = (bench: BenchRing, position: number, args: string[]) => void;

const power =
  (on: boolean): Act =>
  ({ boards, ring }, position) => {
    const board = boards[position];
    if (!board) return;
    if (on) board.powerOn();
    else board.powerOff();
    // A port of a real board closes when its power fails; the one in this process stays.
    if (on) ring.replug(position);
    else ring.unplug(position, "power");
  };

const command =
  (name: "request" | "release" | "elect" | "hello"): Act =>
  ({ ring }, position) =>
    void (ring.stations[position] as RingStation).command(name);

const ACTS: { [verb: string]: { act: Act; emulatedOnly?: boolean } } = {
  request: { act: command("request") },
  release: { act: command("release") },
  elect: { act: command("elect") },
  hello: { act: command("hello") },
  send: {
    act: ({ ring }, position, [to = "", ...words]) =>
      void (ring.stations[position] as RingStation).send(Number(to), encodeURIComponent(words.join(" "))),
  },
  crash: { act: power(false), emulatedOnly: true },
  restart: { act: power(true), emulatedOnly: true },
};

/**
 * Checks an action against a bench.
 * @returns what does it
 * @throws UsageError for an action that these boards cannot do, or a station that is not there
 */
export function boardAction(bench: BenchRing, action: Action): () => void {
  const { stations } = bench.ring;
  const entry = Object.hasOwn(ACTS, action.verb) ? ACTS[action.verb] : undefined;
  if (!entry) {
    throw new UsageError(
      `${quote(action.verb)} cannot be done to boards: use ${Object.keys(ACTS).join(", ")}, or a simulated ring`,
    );
  }
  const [ids = "", ...args] = action.args;
  const positions =
    ids === "all"
      ? stations.map((_, i) => i)
      : ids.split(",").map((text) => stations.findIndex(({ id }) => String(id) === text));
  if (positions.includes(-1)) {
    throw new UsageError(
      `no station of this ring is called ${quote(ids)}: it has ${stations.map(({ id }) => id).join(", ")}`,
    );
  }
  if (entry.emulatedOnly && positions.some((position) => !bench.boards[position])) {
    throw new UsageError(
      `${action.verb}: only the power of emulated boards is in this program's hand; pull the plug of ${ids}`,
    );
  }
  return () => {
    for (const position of positions) entry.act(bench, position, args);
  };
}
