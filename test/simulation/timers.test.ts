import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { VirtualClock } from "../../src/simulation/clock.ts";
import { TimerTable } from "../../src/simulation/timers.ts";

const NAMES = ["token", "standby", "critical"];

let clock: VirtualClock;
let timers: TimerTable;

beforeEach(() => {
  clock = new VirtualClock();
  timers = new TimerTable(clock, 2, NAMES);
});

/** Runs to a time and lists what fired: time, position, name. */
function fired(until: number): string[] {
  const list: string[] = [];
  while (clock.peek() <= until) {
    const slot = clock.take();
    const name = timers.due(slot);
    if (name) list.push(`${clock.now} ${timers.position(slot)} ${name}`);
  }
  clock.advance(until);
  return list;
}

describe("a named timer", () => {
  test("fires once, at its deadline", () => {
    timers.arm(1, "token", 100);
    expect(timers.deadline(1, "token")).toBe(100);
    expect(fired(99)).toEqual([]);
    expect(fired(1000)).toEqual(["100 1 token"]);
    expect(timers.deadline(1, "token")).toBe(Infinity);
  });

  test("armed again for later fires then, and only then", () => {
    timers.arm(0, "token", 100);
    timers.arm(0, "token", 200);
    expect(fired(1000)).toEqual(["200 0 token"]);
  });

  test("armed again for sooner fires then, and only then", () => {
    timers.arm(0, "token", 200);
    timers.arm(0, "token", 100);
    expect(fired(1000)).toEqual(["100 0 token"]);
  });

  test("armed for the past fires now", () => {
    clock.advance(50);
    timers.arm(0, "token", 10);
    expect(fired(50)).toEqual(["50 0 token"]);
  });

  test("does not fire when disarmed, and may be armed anew", () => {
    timers.arm(0, "token", 100);
    timers.disarm(0, "token");
    expect(fired(150)).toEqual([]);
    timers.arm(0, "token", 300);
    expect(fired(1000)).toEqual(["300 0 token"]);
  });

  test("belongs to one station", () => {
    timers.arm(0, "token", 100);
    timers.arm(1, "token", 100);
    timers.disarm(0, "token");
    expect(fired(1000)).toEqual(["100 1 token"]);
  });

  test("of an unknown name is refused", () => {
    expect(() => timers.arm(0, "toString", 1)).toThrow("no timer is called toString");
  });

  test("armed again takes its new place among equal deadlines", () => {
    timers.arm(0, "token", 100);
    timers.arm(0, "standby", 100);
    timers.arm(0, "token", 100);
    expect(fired(1000)).toEqual(["100 0 standby", "100 0 token"]);
  });

  test("moved away and back takes its new place too", () => {
    timers.arm(0, "token", 100);
    timers.arm(0, "standby", 100);
    timers.arm(0, "token", 50);
    expect(fired(60)).toEqual(["50 0 token"]);
    timers.arm(0, "token", 100);
    expect(fired(1000)).toEqual(["100 0 standby", "100 0 token"]);
  });
});

describe("the timers of a station", () => {
  test("are forgotten when its power fails, the other station's are not", () => {
    for (const name of NAMES) timers.arm(0, name, 100);
    timers.arm(1, "token", 100);
    timers.clear(0);
    expect(fired(1000)).toEqual(["100 1 token"]);
  });

  test("stand still while it is suspended: what was due meanwhile fires at once, in its order, the rest on time", () => {
    timers.arm(0, "token", 200);
    timers.arm(0, "standby", 150);
    timers.arm(0, "critical", 900);
    timers.suspend(0);
    timers.suspend(0);
    expect(fired(500)).toEqual([]);
    timers.resume(0);
    expect(fired(2000)).toEqual(["500 0 standby", "500 0 token", "900 0 critical"]);
  });

  test("are gone for good when its power fails while it is suspended", () => {
    timers.arm(0, "token", 100);
    timers.suspend(0);
    timers.clear(0);
    timers.resume(0);
    expect(fired(2000)).toEqual([]);
  });
});

test("a timer table agrees with a list of deadlines under any sequence of arm, disarm and time", () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ arm: fc.nat(5), in: fc.integer({ min: 0, max: 12 }) }) },
    { weight: 1, arbitrary: fc.record({ disarm: fc.nat(5) }) },
    { weight: 2, arbitrary: fc.record({ pass: fc.integer({ min: 0, max: 10 }) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      clock = new VirtualClock();
      timers = new TimerTable(clock, 2, NAMES);
      let armed: { slot: number; at: number }[] = [];
      const passTo = (until: number) => {
        // Armed last stands last, and sorting is stable.
        const due = armed.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        armed = armed.filter(({ at }) => at > until);
        expect(fired(until)).toEqual(
          due.map(({ slot, at }) => `${at} ${Math.floor(slot / 3)} ${NAMES[slot % 3]}`),
        );
      };
      const place = (slot: number) => [Math.floor(slot / 3), NAMES[slot % 3] as string] as const;
      for (const one of steps) {
        if ("pass" in one) passTo(clock.now + one.pass);
        else if ("disarm" in one) {
          timers.disarm(...place(one.disarm));
          armed = armed.filter(({ slot }) => slot !== one.disarm);
        } else {
          timers.arm(...place(one.arm), clock.now + one.in);
          armed = armed.filter(({ slot }) => slot !== one.arm);
          armed.push({ slot: one.arm, at: clock.now + one.in });
        }
      }
      passTo(clock.now + 100);
      expect(clock.pending).toBe(0);
    }),
    { numRuns: 3000 },
  );
});
