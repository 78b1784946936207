/** What ends a fault, and what does not. */
import { expect, test } from "vitest";
import { RecordColumns } from "../../../src/log/columns.ts";
import { DEFAULT_PLAN } from "../../../src/simulation/plan.ts";
import { parseAction, schedule } from "../../../src/simulation/script/script.ts";
import { Simulation } from "../../../src/simulation/simulation.ts";

/** Runs a wired ring of three for 40 s. @returns its events as `<second> <station> <event> <first field>` */
function ring(...script: string[]): string[] {
  const records = new RecordColumns();
  const sim = new Simulation({ ...DEFAULT_PLAN, ids: [1, 2, 3], wiring: "wired" }, records);
  sim.bootAll();
  schedule(sim, script.map(parseAction));
  sim.runUntil(40e6);
  return Array.from({ length: records.length }, (_, i) => records.get(i)).flatMap((record) => {
    if (!("fields" in record)) return [];
    const second = Math.floor(record.t / 1e6);
    return `${second} ${record.station} ${record.event} ${Object.values(record.fields)[0] ?? ""}`.trim();
  });
}

const of = (events: string[], name: string) => events.filter((event) => event.includes(name));

test("the end of a pause that was ended before does not end a later hang", () => {
  const events = ring("3s pause 2 5s", "4s resume 2", "5s hang 2");
  expect(of(events, "resume")).toEqual(["4 2 fault resume"]);
});

test("a late station that has got its power meanwhile is left alone", () => {
  expect(of(ring("3s late 2 10s", "5s calm"), "restart")).toEqual(["5 2 restart"]);
  expect(of(ring("3s late 2 5s", "4s restart 2"), "2 restart")).toEqual(["4 2 restart"]);
});

test("calm sets a clock that runs wrong right, and pulls a second board out", () => {
  const slow = ring("4s drift 2 -900000", "6s calm", "8s request 2");
  expect(of(slow, "exit")).toEqual([expect.stringMatching(/^8 2 exit/)]);
  // Neither could hear that the other has its id.
  expect(of(ring("5s twin 1", "5s deafen 2", "8s calm", "20s request all"), "enter")).toHaveLength(3);
});

test.each([
  ["3s crash 1 2 3", "write crash ID[,ID...]|all"],
  ["3s heal 3", "write heal and nothing more"],
  ["3s partition 1,2/2,3", "has station 2 on both sides"],
  ["3s crash 01", 'no station of this ring is called "01"'],
])("%s is refused", (line, message) => {
  expect(() => ring(line)).toThrow(message);
});
