/** The observer sees fences that fall, whoever makes them fall, from records alone. */
import { expect, test } from "vitest";
import { Observer } from "../../../src/check/observer.ts";
import { RecordColumns } from "../../../src/log/columns.ts";
import type { StationEvent } from "../../../src/log/records.ts";

type Line = [event: StationEvent, station: number, ...fields: (number | string)[]];

function violation(lines: readonly Line[], ordered: boolean): string | undefined {
  const records = new RecordColumns();
  const ring = {
    ids: [1, 2, 3],
    wiring: "wired",
    mutex: "token-ring",
    election: "bully",
    step: 256,
    leaseMs: 0,
  };
  const observer = new Observer(ring, records, { recoveryMicros: 1e9, ordered });
  lines.forEach(([event, station, ...fields], i) => void records.addEvent(i, event, station, ...fields));
  return observer.read()?.text;
}

const entry = (station: number, epoch: number, grant: number): Line[] => [
  ["enter", station, epoch, grant],
  ["exit", station, epoch, grant],
];
const HIGH: Line[] = [["regenerated", 3, 1027], ...entry(1, 1027, 1)];
const RESTARTED: Line[] = [1, 2, 3].flatMap((id): Line[] => [
  ["crash", id, "power"],
  ["restart", id, id],
]);

for (const ordered of [true, false]) {
  test(`a token of an earlier epoch after a restart (${ordered ? "simulation" : "boards"})`, () => {
    expect(violation([...HIGH, ...RESTARTED, ["regenerated", 3, 259]], ordered)).toBe(
      "station 3 makes a token of epoch 259 though 1027 was there before it restarted",
    );
  });

  test(`an entry in an earlier epoch after a restart (${ordered ? "simulation" : "boards"})`, () => {
    expect(violation([...HIGH, ...RESTARTED, ...entry(2, 259, 1)], ordered)).toBe(
      "station 2 enters in epoch 259 though 1027 was there before it restarted",
    );
  });

  test(`epochs that go on after a restart are right (${ordered ? "simulation" : "boards"})`, () => {
    const after: Line[] = [["regenerated", 3, 1283], ...entry(2, 1283, 1), ...entry(1, 1283, 2)];
    expect(violation([...HIGH, ...RESTARTED, ...after], ordered)).toBeUndefined();
  });
}
