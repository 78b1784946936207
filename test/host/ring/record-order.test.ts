/** Records of several consoles come out in the order of their times, however late a console is. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { RecordOrder } from "../../../src/host/ring/record-order.ts";

test("whatever the order of arrival, what is flushed together is in the order of times, each once", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000)), fc.nat(10_000), (times, until) => {
      const out: number[] = [];
      const order = new RecordOrder(
        () => 0,
        () => {},
      );
      for (const t of times) order.add(t, () => out.push(t));
      order.flush(until);
      expect(out.every((t) => t <= until)).toBe(true);
      order.flush();
      expect(out).toEqual([...times].sort((a, b) => a - b));
    }),
  );
});

test("records of one time keep their order", () => {
  const out: string[] = [];
  const order = new RecordOrder(
    () => 0,
    () => {},
  );
  for (const name of ["a", "b", "c"]) order.add(5, () => out.push(name));
  order.flush();
  expect(out.join("")).toBe("abc");
});

test("nothing waits longer than its hold, also when nothing more comes", async () => {
  const start = performance.now();
  let written = 0;
  const order = new RecordOrder(
    () => (performance.now() - start) * 1000,
    () => {},
  );
  order.add(0, () => {
    written = performance.now() - start;
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(written).toBeGreaterThan(0);
});
