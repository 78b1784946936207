/**
 * A duplicate id joins a running ring: the one that has the id stays, the newcomer is refused, once (hashicorp/serf#119,
 * consul#733: where a clash was resolved otherwise, members flapped).
 */
import { describe, expect, test } from "vitest";
import { SEVERAL } from "../../src/check/bounds.ts";
import { EVENT_NAMES, type EventName } from "../../src/log/records.ts";
import { DEFAULT_PLAN, limitsOf } from "../../src/simulation/plan.ts";
import { runTrial } from "../../src/simulation/search/trial.ts";

const RINGS = [
  [1, 2],
  [2, 1, 3],
  [3, 1, 4, 2],
  [5, 2, 4, 1, 3],
];
const AFTER_THE_NEWCOMER: readonly EventName[] = [
  "duplicate",
  "refused",
  "elect",
  "coordinator",
  "stepdown",
  "lost",
  "regenerated",
  "stale",
  "bypass",
];

describe.each(["wired", "hub"] as const)("on a %s ring", (wiring) => {
  test.each(["bully", "ring", "chang-roberts"])(
    "with election %s the incumbent stays, wherever a newcomer joins",
    (election) => {
      for (const ids of RINGS) {
        const plan = { ...DEFAULT_PLAN, ids, wiring, election, preemptMs: -1 };
        const formed = 120 * limitsOf(plan).rotation;
        for (const id of ids) {
          for (const [k, after] of ids.entries()) {
            // Each time the token is somewhere else.
            const at = Math.round(1000 * formed + 1700 * k);
            const script = [`${at}us twin ${id} ${after}`, `${2 * at}us calm`];
            const { violation, records } = runTrial({ fault: SEVERAL, plan, script });
            const what = `ids ${ids}, ${wiring}, ${election}: ${script[0]}`;
            expect([violation, what]).toEqual([null, what]);
            const seen: { [event: string]: number[] } = {};
            for (let i = 0; i < records.length; i++) {
              const event = EVENT_NAMES[records.event[i] as number] as EventName;
              const t = records.t[i] as number;
              // At the end of the faults somebody pulls the newcomer out again, which may cost the token.
              if (t < at || t >= 2 * at || !AFTER_THE_NEWCOMER.includes(event)) continue;
              seen[event] = [...(seen[event] ?? []), records.station[i] as number];
            }
            const named = wiring === "hub" ? { refused: [id] } : { duplicate: [id], refused: [id] };
            expect([seen, what]).toEqual([named, what]);
          }
        }
      }
    },
  );
});
