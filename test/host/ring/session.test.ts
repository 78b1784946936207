import { expect, test } from "vitest";
import { runSession } from "../../../src/host/ring/session.ts";
import { consecutiveIds, DEFAULT_PLAN } from "../../../src/simulation/plan.ts";

const DAY = 86_400e6;

test.each([1_000_000, Infinity])(
  "a run of weeks at %f times the speed hands on its records as they come, and ends when it is told to",
  async (pace) => {
    const stop = new AbortController();
    let records = 0;
    let most = 0;
    const write = (_: unknown, from: number, to: number) => {
      most = Math.max(most, to - from);
      records += to - from;
      if (records > 100_000) stop.abort();
    };
    const plan = { ...DEFAULT_PLAN, ids: consecutiveIds(5) };
    const end = await runSession({
      plan,
      actions: [],
      until: 24 * DAY,
      pace,
      consumers: [{ write }],
      signal: stop.signal,
      onReady: () => {},
    });
    expect(end.micros).toBeLessThan(DAY);
    expect(most).toBeLessThan(50_000);
  },
);
