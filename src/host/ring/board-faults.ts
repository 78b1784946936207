/**
 * Faults of a ring of boards, with the words of the simulation's scripts: what a board does to itself, and on a hub what
 * the host does to the frames that it carries.
 */
import { hostClock } from "../../link/time.ts";
import { LINK_FAULTS, type LinkFaultKind } from "../../simulation/link-faults.ts";
import { frameRule, noiseRule } from "../../simulation/link-rules.ts";
import { limitsOf } from "../../simulation/plan.ts";
import { parseFrame, parseTime, position, positions } from "../../simulation/script/arguments.ts";
import { groupsOf } from "../../simulation/script/fault-verbs.ts";
import type { BenchRing } from "../bench/bench-ring.ts";
import type { Condition, RingStation, StationFault } from "./ring-station.ts";

/** A bench, with its stations by id. */
export interface Target extends BenchRing {
  positionOf(id: number): number;
}

export interface BoardVerb {
  /** Where it can be done: "hub" where the host carries the frames, "switch" also where a station has a relay. */
  needs?: "hub" | "switch";
  /** Reads the arguments. @returns what to do when the time has come @throws UsageError */
  prepare(bench: Target, args: string[]): () => void;
}

export type BoardVerbs = { readonly [verb: string]: BoardVerb };

type Act = (bench: BenchRing, position: number) => unknown;

/** A fault of stations. `parse` reads what follows the ids. */
function onStations(kind: string, parse: (args: string[]) => Act): BoardVerb {
  return {
    prepare: (bench, [ids = "", ...args]) => {
      const at = positions(bench, ids);
      const act = parse(args);
      return () => {
        for (const p of at) {
          bench.ring.report("fault", p, kind, args.join(" "));
          void act(bench, p);
        }
      };
    },
  };
}

const always = (act: Act) => () => act;

function onHub(kind: string, parse: (args: string[]) => Act): BoardVerb {
  return { ...onStations(kind, parse), needs: "hub" };
}

function onFrames(kind: LinkFaultKind): BoardVerb {
  return onHub(kind, (args) => {
    const rule = frameRule(kind, args);
    return ({ ring }, p) => ring.faults.links.add({ ...rule, position: p });
  });
}

/** @returns what has become of a station; the power of an emulated board is in this program's hand */
export function conditionOf({ boards, ring }: BenchRing, p: number): Condition {
  return boards[p]?.powered === false ? "dead" : (ring.stations[p] as RingStation).condition;
}

/** Lets the station do it to itself. */
async function ask({ ring }: BenchRing, p: number, kind: StationFault, ms?: number): Promise<boolean> {
  const done = await (ring.stations[p] as RingStation).fault(kind, ms);
  if (!done) ring.report("refused", p, "no-answer");
  return done;
}

/** Power fails, that of an emulated board really; any other loses its state and is silent. */
export async function crash(bench: BenchRing, p: number): Promise<void> {
  const board = bench.boards[p];
  if (conditionOf(bench, p) === "dead") return;
  if (board) board.powerOff();
  else if (!(await ask(bench, p, "crash"))) return;
  // The port of a real board closes when its power fails; this one stays open.
  bench.ring.powerOff(p);
}

/** Power returns; a running station loses its state. */
export async function restart(bench: BenchRing, p: number): Promise<void> {
  const board = bench.boards[p];
  if (board) {
    await crash(bench, p);
    board.powerOn();
  } else {
    const dead = conditionOf(bench, p) === "dead";
    if (!(await ask(bench, p, "restart"))) return;
    if (!dead) bench.ring.powerOff(p);
  }
  bench.ring.powerOn(p);
}

/** The processor stops with its power on. @param ms undefined: until it is told to go on */
function stop(bench: BenchRing, p: number, ms?: number): unknown {
  if (conditionOf(bench, p) !== "running") return;
  return ms === undefined ? ask(bench, p, "hang") : ask(bench, p, "pause", ms);
}

function goOn(bench: BenchRing, p: number): unknown {
  if (conditionOf(bench, p) === "still") return ask(bench, p, "resume");
}

/** Ends every fault. Stations among `left` stay dead, or hanging. */
function calm(bench: BenchRing, left: readonly number[]): void {
  const { ring } = bench;
  ring.faults.links.clear();
  ring.mau.heal();
  ring.stations.forEach((_, p) => {
    ring.mend(p);
    if (left.includes(p)) return;
    const condition = conditionOf(bench, p);
    if (condition === "still") void goOn(bench, p);
    else if (condition === "dead") void restart(bench, p);
    else ring.insert(p, "relay");
  });
}

export const BOARD_FAULTS: BoardVerbs = {
  crash: onStations("crash", always(crash)),
  restart: onStations("restart", always(restart)),
  hang: onStations(
    "hang",
    always((bench, p) => stop(bench, p)),
  ),
  // The record comes from the station, when it goes on.
  resume: {
    prepare: (bench, [ids = ""]) => {
      const at = positions(bench, ids);
      return () => {
        for (const p of at) void goOn(bench, p);
      };
    },
  },
  pause: onStations("pause", ([time = ""]) => {
    const ms = Math.max(1, Math.round(parseTime(time) / 1000));
    return (bench, p) => stop(bench, p, ms);
  }),
  ...Object.fromEntries(LINK_FAULTS.map((kind) => [kind, onFrames(kind)])),
  noise: onHub("noise", (args) => {
    const rule = noiseRule(args);
    return ({ ring, plan }, p) =>
      ring.faults.links.add({ ...rule(hostClock(), limitsOf(plan).rotation), position: p });
  }),
  cut: onHub(
    "cut",
    always(({ ring }, p) => ring.faults.cut(p)),
  ),
  deafen: onHub(
    "deafen",
    always(({ ring }, p) => ring.faults.deafen(p)),
  ),
  mend: onHub(
    "mend",
    always(({ ring }, p) => ring.mend(p)),
  ),
  bypass: {
    ...onStations(
      "bypass",
      always(({ ring }, p) => ring.bypass(p, "relay")),
    ),
    needs: "switch",
  },
  insert: {
    ...onStations(
      "insert",
      // A hub inserts only what it can hear.
      always((bench, p) => conditionOf(bench, p) === "running" && bench.ring.insert(p, "relay")),
    ),
    needs: "switch",
  },
  partition: {
    needs: "hub",
    prepare: (bench, [text = ""]) => {
      const groups = groupsOf(bench, text);
      return () => {
        bench.ring.report("fault", undefined, "partition", text);
        bench.ring.mau.partition(groups);
      };
    },
  },
  heal: {
    needs: "hub",
    prepare:
      ({ ring }) =>
      () => {
        ring.report("fault", undefined, "heal");
        ring.mau.heal();
      },
  },
  calm: {
    prepare: (bench, [ids]) => {
      const left = ids === undefined ? [] : positions(bench, ids);
      return () => {
        bench.ring.report("fault", undefined, "calm", ids ?? "");
        calm(bench, left);
      };
    },
  },
  inject: {
    needs: "hub",
    prepare: (bench, [id = "", text = ""]) => {
      const p = position(bench, id);
      const frame = parseFrame(text);
      return () => {
        bench.ring.report("fault", p, "inject", text);
        bench.ring.carrier.inject(p, frame);
      };
    },
  },
};
