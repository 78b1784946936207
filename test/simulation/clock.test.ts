import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../src/simulation/clock.ts";

/** Takes all that is due up to a time. */
function takeUntil(clock: VirtualClock, micros: number): number[] {
  const codes: number[] = [];
  while (clock.peek() <= micros) codes.push(clock.take());
  clock.advance(micros);
  return codes;
}

describe("the virtual clock", () => {
  test("starts at 0 with nothing due", () => {
    const clock = new VirtualClock();
    expect(clock).toMatchObject({ now: 0, pending: 0 });
    expect(clock.peek()).toBe(Infinity);
  });

  test("advanced twice by 10 µs stands at 20 (rp2040js: its test clock stood at 30)", () => {
    const clock = new VirtualClock();
    clock.advance(clock.now + 10);
    expect(clock.now).toBe(10);
    clock.advance(clock.now + 10);
    expect(clock.now).toBe(20);
  });

  test("gives equal deadlines in the order of scheduling (rp2040js: its test clock gave the last first)", () => {
    const clock = new VirtualClock(2);
    for (let code = 0; code < 100; code++) clock.schedule(7, code);
    expect(takeUntil(clock, 7)).toEqual(Array.from({ length: 100 }, (_, code) => code));
  });

  test("keeps a place in the order for what is scheduled later", () => {
    const clock = new VirtualClock();
    const place = clock.ticket();
    clock.schedule(5, 1);
    clock.schedule(5, 2, place);
    expect(takeUntil(clock, 5)).toEqual([2, 1]);
  });

  test("takes a time already past for now, behind what is due now", () => {
    const clock = new VirtualClock();
    clock.schedule(50, 1);
    clock.schedule(50, 2);
    expect(clock.take()).toBe(1);
    clock.schedule(10, 3);
    expect(clock.take()).toBe(2);
    expect(clock.take()).toBe(3);
    expect(clock.now).toBe(50);
  });

  test("does not advance past a deadline, nor back", () => {
    const clock = new VirtualClock();
    clock.schedule(30, 1);
    clock.advance(31);
    expect(clock.now).toBe(0);
    clock.advance(30);
    clock.advance(29);
    expect(clock.now).toBe(30);
    expect(clock.take()).toBe(1);
  });

  test("agrees with a sorted list under any schedule", () => {
    const step = fc.oneof(
      fc.record({ in: fc.integer({ min: -20, max: 40 }) }),
      fc.record({ take: fc.constant(true) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 4 }), (steps, capacity) => {
        const clock = new VirtualClock(capacity);
        let list: { at: number; order: number; code: number }[] = [];
        let now = 0;
        let order = 0;
        const takeOne = () => {
          list.sort((a, b) => a.at - b.at || a.order - b.order);
          const [first, ...rest] = list;
          if (!first) return;
          list = rest;
          now = first.at;
          expect(clock.peek()).toBe(first.at);
          expect(clock.take()).toBe(first.code);
          expect(clock.now).toBe(now);
        };
        for (const one of steps) {
          if ("take" in one) takeOne();
          else {
            clock.schedule(now + one.in, order);
            list.push({ at: Math.max(now, now + one.in), order, code: order });
            order++;
          }
          expect(clock.pending).toBe(list.length);
        }
        while (list.length) takeOne();
        expect(clock.peek()).toBe(Infinity);
      }),
      { numRuns: 2000 },
    );
  });
});
