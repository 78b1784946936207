/** Four timestamps as in NTP (RFC 5905, section 8): the true offset lies within half the round trip of the estimate. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ClockAlignment } from "../../../src/host/console/clock-alignment.ts";

/** Exchanges with a board whose clock has an offset and a drift; each way of each exchange takes its own time, µs. */
const exchanges = fc.record({
  offset: fc.integer({ min: -5_000_000, max: 5_000_000 }),
  ppm: fc.integer({ min: -150, max: 150 }),
  ways: fc.array(fc.tuple(fc.integer({ min: 50, max: 20_000 }), fc.integer({ min: 50, max: 20_000 })), {
    minLength: 1,
    maxLength: 60,
  }),
});

test("the stated bound holds, with a clock offset by 5 s and 150 ppm off", () => {
  fc.assert(
    fc.property(exchanges, ({ offset, ppm, ways }) => {
      const clock = new ClockAlignment();
      const board = (host: number) => host + offset + host * ppm * 1e-6;
      let host = 0;
      for (const [out, back] of ways) {
        clock.add(host, board(host + out), host + out + back);
        expect(Math.abs(clock.toHost(board(host)) - host)).toBeLessThanOrEqual(clock.boundMicros + 2);
        host += 1_000_000;
      }
    }),
    { numRuns: 2000 },
  );
});

test("one exchange with a short round trip among long ones decides at once", () => {
  const clock = new ClockAlignment();
  const exchange = (host: number, out: number, back: number) =>
    clock.add(host, host + 1000 + out, host + out + back);
  exchange(0, 20_000, 100);
  expect(Math.abs(clock.offsetMicros - 1000)).toBeGreaterThan(5000);
  exchange(100_000, 110, 100);
  expect(Math.abs(clock.offsetMicros - 1000)).toBeLessThan(20);
  exchange(200_000, 20_000, 100);
  expect(Math.abs(clock.offsetMicros - 1000)).toBeLessThan(20);
});

test("a restart of the board, whose clock begins anew, is noticed", () => {
  const clock = new ClockAlignment();
  clock.add(0, 50_000_000, 200);
  clock.add(1_000_000, 100, 1_000_200);
  expect(Math.abs(clock.toHost(100) - 1_000_100)).toBeLessThan(10);
});
