/** Faults at random, each as one or two lines of a script: what happens, and what ends it. */
import { ELECTIONS } from "../../../firmware/protocols.js";
import { frameTypesOf, isAdded } from "../../protocols/registry.ts";
import type { Plan } from "../plan.ts";
import type { Random } from "../random.ts";

/** What faults are drawn from. */
export interface FaultDraw {
  random: Random;
  plan: Plan;
  /** A rotation in microseconds. */
  rotation: number;
  /** Stations that do not come back. */
  dead: number[];
}

/** Lines of a script with their times in microseconds. */
export type TimedLine = [at: number, action: string];

export type FaultKind = (draw: FaultDraw, at: number, id: number) => TimedLine[];

/** A fault lasts up to so many rotations, mostly far less. */
const LONGEST_ROTATIONS = 150;

/** The token most often, then the monitor's frames, those of our elections, and of a protocol that was added. */
function frameTypes({ election, mutex }: Plan): string[] {
  const added = [election, mutex].filter((name) => isAdded(name));
  const elections = [...ELECTIONS.map(({ name }) => name), ...added].flatMap(frameTypesOf);
  return ["TOK", "TOK", "TOK", "PRB", "PRG", "AMP", ...elections, "BCN"];
}

/** @returns a time as a script has it */
export function micros(at: number): string {
  return `${Math.round(at)}us`;
}

function duration({ random, rotation }: FaultDraw): number {
  return random.next() ** 2 * LONGEST_ROTATIONS * rotation;
}

function lasts(action: string, end: string): FaultKind {
  return (draw, at, id) => [
    [at, `${action} ${id}`],
    [at + duration(draw), `${end} ${id}`],
  ];
}

/** A few frames on one link, sometimes of one type only. */
function frames(action: string): FaultKind {
  return ({ random, plan }, at, id) => {
    const type = random.next() < 0.5 ? ` ${random.pick(frameTypes(plan))}` : "";
    return [[at, `${action} ${id} ${1 + random.below(3)}${type}`]];
  };
}

/** Faults that every ring can have. */
export const FAULT_KINDS: { readonly [kind: string]: FaultKind } = {
  crash: lasts("crash", "restart"),
  restart: (_draw, at, id) => [[at, `restart ${id}`]],
  hang: lasts("hang", "resume"),
  pause: (draw, at, id) => [[at, `pause ${id} ${micros(duration(draw))}`]],
  cut: lasts("cut", "mend"),
  deafen: lasts("deafen", "mend"),
  drop: frames("drop"),
  corrupt: frames("corrupt"),
  duplicate: frames("duplicate"),
  delay: (draw, at, id) => [[at, `delay ${id} ${micros(draw.random.next() * 6 * draw.rotation)}`]],
  noise: (draw, at, id) => [[at, `noise ${id} ${1 + draw.random.below(20)} ${micros(duration(draw))}`]],
  slow: (draw, at, id) => [
    [at, `slow ${id} ${2 + draw.random.below(30)}`],
    [at + duration(draw), `slow ${id} 1`],
  ],
  drift: ({ random }, at, id) => [[at, `drift ${id} ${random.below(100_000) - 50_000}`]],
  jump: ({ random, rotation }, at, id) => [
    [at, `jump ${id} ${random.next() < 0.5 ? "-" : ""}${micros(random.next() * 200 * rotation)}`],
  ],
  bypass: lasts("bypass", "insert"),
  stray: ({ random, plan }, at, id) => {
    const higher = plan.ids.filter((other) => other > id);
    if (higher.length === 0) return [];
    return [
      [at, `inject ${random.pick(plan.ids)} BEL,${random.pick(higher)},${id},${256 + random.below(4096)}`],
    ];
  },
};

/** Faults that only change when something happens. */
export const TIMING_KINDS: { readonly [kind: string]: FaultKind } = Object.fromEntries(
  ["delay", "slow", "drift", "jump"].map((kind) => [kind, FAULT_KINDS[kind] as FaultKind]),
);

/**
 * A frame that comes again much later breaks the rule that links are first in, first out. Where stations have come and
 * gone meanwhile, it may look fresh: no claim is made of that, so here none comes or goes.
 */
export const STALE_FRAME_KINDS: { readonly [kind: string]: FaultKind } = {
  replay: (_draw, at, id) => [[at, `replay ${id}`]],
  ...Object.fromEntries(
    ["drop", "corrupt", "duplicate", "delay", "noise", "slow", "drift", "jump"].map((kind) => [
      kind,
      FAULT_KINDS[kind] as FaultKind,
    ]),
  ),
};

/** Faults that only a hub can have. */
export const HUB_FAULT_KINDS: { readonly [kind: string]: FaultKind } = {
  dead: (draw, at, id) => {
    if (!draw.dead.includes(id) && draw.dead.length < draw.plan.ids.length - 1) draw.dead.push(id);
    return [[at, `crash ${id}`]];
  },
  partition: ({ random, plan, rotation }, at) => {
    const groups = splitIds(random, plan.ids);
    if (groups.some((group) => group.length === 0)) return [];
    return [
      [at, `partition ${groups.join("/")}`],
      [at + random.next() * LONGEST_ROTATIONS * rotation, "heal"],
    ];
  },
};

/** @returns the ids in two groups; one may be empty */
export function splitIds(random: Random, ids: readonly number[]): number[][] {
  const groups: number[][] = [[], []];
  for (const id of ids) (groups[random.below(2)] as number[]).push(id);
  return groups;
}
