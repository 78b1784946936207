/** One fault in a ring that has formed, for each fault whose recovery has a bound of its own (check/bounds.ts). */
import { type FaultDraw, micros, splitIds, type TimedLine } from "./random-faults.ts";

/** @returns the lines of a script; the last is the end of the fault, from which recovery is counted */
export type SingleFault = (draw: FaultDraw, at: number) => TimedLine[];

/** How long the longer faults last, in rotations. */
const LONG_ROTATIONS = 300;

function highest(ids: readonly number[]): number {
  return ids.reduce((a, b) => Math.max(a, b), 0);
}

/** A station that loses its power, or hangs: on a hub it is left behind, a wired ring waits for it. */
function leaves(action: string, end: string, id: (draw: FaultDraw) => number): SingleFault {
  return (draw, at) => {
    const station = id(draw);
    if (draw.plan.wiring === "wired") {
      const until = at + draw.random.next() * LONG_ROTATIONS * draw.rotation;
      return [
        [at, `${action} ${station}`],
        [until, `${end} ${station}`],
        [until, "calm"],
      ];
    }
    return [
      [at, `${action} ${station}`],
      [at, `calm ${station}`],
    ];
  };
}

const anyStation = ({ random, plan }: FaultDraw): number => random.pick(plan.ids);
const coordinator = ({ plan }: FaultDraw): number => highest(plan.ids);

function returns(action: string, end: string): SingleFault {
  return (draw, at) => {
    const id = anyStation(draw);
    const until = at + draw.random.next() * LONG_ROTATIONS * draw.rotation;
    return [
      [at, `${action} ${id}`],
      [until, `${end} ${id}`],
      [until, "calm"],
    ];
  };
}

/** Only rings that can have the fault are asked for it: [name of the bound, hub only, script]. */
export const SINGLE_FAULTS: readonly (readonly [name: string, hubOnly: boolean, fault: SingleFault])[] = [
  [
    "token lost",
    false,
    (draw, at) => [
      [at, `drop ${anyStation(draw)} 1 TOK`],
      // The token leaves that station within one rotation; then it is gone.
      [
        at + 2 * draw.rotation + 1000 * draw.plan.ids.length * (draw.plan.holdMs + draw.plan.criticalMs),
        "calm",
      ],
    ],
  ],
  [
    "holder crash",
    false,
    (draw, at) => {
      const ids = draw.plan.ids.filter((id) => id !== coordinator(draw));
      const id = draw.random.pick(ids);
      const [first, ...rest] = leaves("crash", "restart", () => id)(draw, at + 1.2 * draw.rotation);
      return [[at, `request ${id}`], first as TimedLine, ...rest];
    },
  ],
  ["coordinator crash", false, leaves("crash", "restart", coordinator)],
  ["hang", false, leaves("hang", "resume", anyStation)],
  ["cut and mend", false, returns("cut", "mend")],
  ["deaf and mended", false, returns("deafen", "mend")],
  [
    "pause",
    false,
    (draw, at) => {
      const time = draw.random.next() * LONG_ROTATIONS * draw.rotation;
      return [
        [at, `pause ${anyStation(draw)} ${micros(time)}`],
        [at + time + 1, "calm"],
      ];
    },
  ],
  [
    "partition and heal",
    true,
    (draw, at) => {
      const groups = splitIds(draw.random, draw.plan.ids).filter((group) => group.length > 0);
      const until = at + draw.random.next() * LONG_ROTATIONS * draw.rotation;
      return [
        [at, `partition ${groups.join("/")}`],
        [until, "heal"],
        [until, "calm"],
      ];
    },
  ],
  [
    "power-up",
    false,
    (draw) => {
      const lates = draw.plan.ids.map((id): [number, number] => [
        id,
        draw.random.next() * LONG_ROTATIONS * draw.rotation,
      ]);
      const last = lates.reduce((a, [, time]) => Math.max(a, time), 0);
      return [...lates.map(([id, time]): TimedLine => [0, `late ${id} ${micros(time)}`]), [last + 1, "calm"]];
    },
  ],
];
