/** What the host says of a station whose port is gone: no more than it knows. */
import { expect, test } from "vitest";
import { Ring } from "../../../src/host/ring/ring.ts";
import type { RingStation, StationEvents } from "../../../src/host/ring/ring-station.ts";
import { RecordColumns } from "../../../src/log/columns.ts";
import { DEFAULT_PLAN, settingsOf } from "../../../src/simulation/plan.ts";

/** A station that does all that it is told, and nothing else. */
class Obedient implements RingStation {
  readonly where = "nowhere";
  readonly condition = "running";
  readonly boot = 7;
  readonly id: number;
  events!: StationEvents;

  constructor(id: number) {
    this.id = id;
  }

  start = async () => true;
  deliver(_: string, done: (at: number | null) => void): void {
    done(0);
  }
  command = async () => true;
  send = async () => true;
  fault = async () => true;
  attach = async () => true;
  reconnect = async () => 7;
  stop = async () => {};
}

async function ringOf(wiring: "hub" | "wired"): Promise<{ stations: Obedient[]; said(): Promise<string[]> }> {
  const records = new RecordColumns();
  const stations = [1, 2, 3].map((id) => new Obedient(id));
  const settings = settingsOf({ ...DEFAULT_PLAN, ids: [1, 2, 3] });
  const ring = new Ring(stations, {
    wiring,
    baud: 115_200,
    settings,
    records,
    configOf: () => ({}),
    onRecords() {},
  });
  await ring.start();
  return {
    stations,
    async said() {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await ring.stop();
      return Array.from({ length: records.length }, (_, i) => {
        const record = records.get(i);
        return `${record.event} ${"fields" in record ? Object.values(record.fields).join(" ") : ""}`.trim();
      });
    },
  };
}

for (const wiring of ["hub", "wired"] as const) {
  const [out, back] = wiring === "hub" ? [["bypass closed"], ["insert open"]] : [[], []];

  test(`a port that goes and comes back, the board is the same (${wiring}): nobody has crashed`, async () => {
    const { stations, said } = await ringOf(wiring);
    stations[1]?.events.lost("the cable");
    stations[1]?.events.back(7);
    expect(await said()).toEqual(["unplug the cable", ...out, "plug", ...back]);
  });

  test(`a port that goes and comes back with a board that has started anew (${wiring})`, async () => {
    const { stations, said } = await ringOf(wiring);
    stations[1]?.events.lost("the cable");
    stations[1]?.events.back(8);
    expect(await said()).toEqual(["unplug the cable", ...out, "plug", "restart 8", ...back]);
  });

  test(`a board that starts anew behind an open port (${wiring}) is no port that is back`, async () => {
    const { stations, said } = await ringOf(wiring);
    stations[1]?.events.back(8);
    expect(await said()).toEqual(["restart 8"]);
  });
}
