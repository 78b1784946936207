/**
 * The scenarios, and what of their records is compared.
 *
 * Compared, in order: who enters and leaves the critical section with which fence, and who makes a token
 * (these are ordered on the ring, so their order is one for all stations); and for each station by itself, which
 * coordinators it takes, one after the other. Of elections the cause of the first after each disturbance, those apart that a message of another caused.
 * Tokens are numbered in the order of their making: a monitor on a busy computer may purge twice before it makes one, and
 * its epoch is then a round higher. One whose epoch is not above all before is named.
 * Not compared: times; hops, whose number is a matter of time; single messages of elections, since several stations may
 * start one and their messages cross in another order on another medium; and the number of an election, which its
 * starter makes.
 */
import type { RunRecord } from "../../src/log/records.ts";
import { events, hops, type Platform, type Setup } from "./platform.ts";

export interface Scenario {
  name: string;
  setup: Omit<Setup, "wiring">;
  /** Only a hub bypasses a dead board. */
  wirings: readonly Setup["wiring"][];
  run(ring: Platform): Promise<void>;
  /** By the rules of the protocols, worked out by hand. "2 enter 1/3": the third entry granted by the first token. */
  expected: Essence;
}

export interface Essence {
  ring: string[];
  coordinators: { [station: number]: number[] };
  causes: string[];
}

/** Disturbances as the host records them; the first election after each has the cause that is compared. */
const DISTURBANCES = ["crash", "unplug", "restart"];

export function essence(records: readonly RunRecord[]): Essence {
  const result: Essence = { ring: [], coordinators: {}, causes: [] };
  const epochs: number[] = [];
  const token = (epoch: unknown) => epochs.indexOf(Number(epoch)) + 1;
  let quiet = false;
  for (const { event, station, fields } of events(records)) {
    if (event === "enter" || event === "exit")
      result.ring.push(`${station} ${event} ${token(fields.epoch)}/${fields.grant}`);
    else if (event === "regenerated") {
      const epoch = Number(fields.epoch);
      const falls = epochs.some((earlier) => earlier >= epoch) ? " of an epoch that was there" : "";
      epochs.push(epoch);
      result.ring.push(`${epoch % 256} makes token ${epochs.length}${falls}`);
    } else if (event === "coordinator") {
      result.coordinators[station] ??= [];
      const list = result.coordinators[station];
      const id = Number(fields.coordinator);
      if (list[list.length - 1] !== id) list.push(id);
    } else if (event === "elect" && !quiet && fields.cause !== "received") {
      result.causes.push(String(fields.cause));
      quiet = true;
    } else if (DISTURBANCES.includes(event)) quiet = false;
  }
  return result;
}

const made = (ring: Platform, count: number) => () => events(ring.records, "regenerated").length >= count;

async function forms(ring: Platform, stations: number): Promise<void> {
  await ring.until("a token", made(ring, 1));
  const known = () => new Set(events(ring.records, "coordinator").map(({ station }) => station)).size;
  await ring.until("every station knows the coordinator", () => known() === stations);
  await rotations(ring, 10 * stations);
}

/** The token goes on. */
async function rotations(ring: Platform, count: number): Promise<void> {
  const before = hops(ring.records, "TOK");
  await ring.until("the token goes round", () => hops(ring.records, "TOK") >= before + count);
}

const entered = (ring: Platform, id: number, times = 1) =>
  ring.until(`${id} enters`, () => events(ring.records, "enter", id).length >= times);
const left = (ring: Platform, id: number, times = 1) =>
  ring.until(`${id} leaves`, () => events(ring.records, "exit", id).length >= times);

/** The host knows that a board has started anew; when it joined, nobody may have listened yet. */
async function restarted(ring: Platform, id: number): Promise<void> {
  await ring.until(`${id} has restarted`, () => events(ring.records, "restart", id).length === 1);
  await rotations(ring, 20);
}

const IDS = [1, 2, 3, 4];

/** Entries one after the other, the first with this grant. */
const serves = (token: number, grant: number, stations: readonly number[]): string[] =>
  stations.flatMap((id, i) => [`${id} enter ${token}/${grant + i}`, `${id} exit ${token}/${grant + i}`]);

const allTake = (coordinators: number[]): Essence["coordinators"] =>
  Object.fromEntries(IDS.map((id) => [id, coordinators]));

/** It crashes with the token, so that there is one end to it: else the token may be with it or with another. */
const coordinatorCrash = (election: string, after: number, causes: string[]): Scenario => ({
  name: `the coordinator crashes inside the critical section, and comes back (${election})`,
  setup: { ids: IDS, election },
  wirings: ["hub"],
  async run(ring) {
    await forms(ring, 4);
    ring.request(4);
    await entered(ring, 4);
    await ring.off(4);
    await ring.until("a new token", made(ring, 2));
    ring.request(1);
    await left(ring, 1);
    await ring.on(4);
    const takes = (id: number) => Number(events(ring.records, "coordinator", id).at(-1)?.fields.coordinator);
    const back = () => events(ring.records, "joined", 4).length >= 2;
    await ring.until("all have one coordinator", () => back() && IDS.every((id) => takes(id) === after));
    ring.request(4);
    await left(ring, 4);
  },
  expected: {
    ring: [
      "4 makes token 1",
      "4 enter 1/1",
      "3 makes token 2",
      ...serves(2, 1, [1]),
      // The token is whole when 4 comes back, so nobody makes another.
      ...serves(2, 2, [4]),
    ],
    coordinators: allTake(after === 4 ? [4, 3, 4] : [4, 3]),
    causes,
  },
});

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "a ring forms",
    setup: { ids: IDS, election: "bully" },
    wirings: ["hub", "wired"],
    run: (ring) => forms(ring, 4),
    expected: { ring: ["4 makes token 1"], coordinators: allTake([4]), causes: ["boot"] },
  },
  {
    name: "requests are served in the order of the ring, not in that of asking",
    setup: { ids: IDS, election: "ring" },
    wirings: ["hub", "wired"],
    async run(ring) {
      await forms(ring, 4);
      ring.request(1);
      await entered(ring, 1);
      for (const id of [4, 3, 2]) ring.request(id);
      await left(ring, 4);
    },
    expected: {
      ring: ["4 makes token 1", ...serves(1, 1, [1, 2, 3, 4])],
      coordinators: allTake([4]),
      causes: ["boot"],
    },
  },
  {
    name: "the holder crashes inside the critical section",
    setup: { ids: IDS, election: "bully" },
    wirings: ["hub"],
    async run(ring) {
      await forms(ring, 4);
      ring.request(2);
      await entered(ring, 2);
      await ring.off(2);
      await ring.until("a new token", made(ring, 2));
      ring.request(3);
      await left(ring, 3);
      await ring.on(2);
      await ring.until("2 is there again", () => events(ring.records, "joined", 2).length >= 2);
      await rotations(ring, 20);
      ring.request(2);
      await left(ring, 2);
    },
    expected: {
      ring: ["4 makes token 1", "2 enter 1/1", "4 makes token 2", ...serves(2, 1, [3]), ...serves(2, 2, [2])],
      coordinators: allTake([4]),
      causes: ["boot"],
    },
  },
  {
    name: "the holder hangs inside the critical section and goes on; it restarts inside of the next",
    setup: { ids: IDS, election: "bully" },
    wirings: ["hub"],
    async run(ring) {
      await forms(ring, 4);
      ring.request(2);
      await entered(ring, 2);
      ring.fault("hang 2");
      await ring.until("a new token", made(ring, 2));
      ring.request(3);
      await left(ring, 3);
      ring.fault("resume 2");
      await left(ring, 2);
      await rotations(ring, 20);
      ring.request(2);
      await entered(ring, 2, 2);
      ring.fault("restart 2");
      await ring.until("a third token", made(ring, 3));
      await ring.until("2 is there again", () => events(ring.records, "joined", 2).length >= 2);
      await rotations(ring, 20);
      ring.request(2);
      await left(ring, 2, 2);
    },
    expected: {
      ring: [
        "4 makes token 1",
        "2 enter 1/1",
        "4 makes token 2",
        ...serves(2, 1, [3]),
        // It was inside all the time, as far as it knows; its token is stale.
        "2 exit 1/1",
        "2 enter 2/2",
        "4 makes token 3",
        ...serves(3, 1, [2]),
      ],
      coordinators: allTake([4]),
      causes: ["boot"],
    },
  },
  {
    name: "the holder loses its power inside while its port stays open, and comes back",
    setup: { ids: IDS, election: "bully" },
    wirings: ["hub"],
    async run(ring) {
      await forms(ring, 4);
      ring.request(2);
      await entered(ring, 2);
      ring.dark(2);
      await ring.until("a new token", made(ring, 2));
      ring.request(3);
      await left(ring, 3);
      ring.light(2);
      await restarted(ring, 2);
      ring.request(2);
      await left(ring, 2);
    },
    expected: {
      ring: ["4 makes token 1", "2 enter 1/1", "4 makes token 2", ...serves(2, 1, [3]), ...serves(2, 2, [2])],
      coordinators: allTake([4]),
      causes: ["boot"],
    },
  },
  {
    name: "the holder is reset inside while its port stays open",
    setup: { ids: IDS, election: "bully" },
    wirings: ["hub", "wired"],
    async run(ring) {
      await forms(ring, 4);
      ring.request(2);
      await entered(ring, 2);
      ring.dark(2);
      ring.light(2);
      await ring.until("a new token", made(ring, 2));
      await restarted(ring, 2);
      ring.request(2);
      await left(ring, 2);
    },
    expected: {
      ring: ["4 makes token 1", "2 enter 1/1", "4 makes token 2", ...serves(2, 1, [2])],
      coordinators: allTake([4]),
      causes: ["boot"],
    },
  },
  {
    name: "all boards lose their power, and fences do not fall",
    setup: { ids: IDS, election: "bully" },
    wirings: ["hub", "wired"],
    async run(ring) {
      await forms(ring, 4);
      for (const id of [1, 2]) {
        ring.request(id);
        await left(ring, id);
      }
      await Promise.all(IDS.map((id) => ring.off(id)));
      await Promise.all(IDS.map((id) => ring.on(id)));
      await ring.until("all are there again", () => events(ring.records, "restart").length === 4);
      await ring.until("a new token", made(ring, 2));
      await rotations(ring, 20);
      ring.request(1);
      await left(ring, 1, 2);
    },
    expected: {
      ring: ["4 makes token 1", ...serves(1, 1, [1, 2]), "4 makes token 2", ...serves(2, 1, [1])],
      coordinators: allTake([4]),
      causes: ["boot", "boot"],
    },
  },
  // In Bully the highest takes over when it is back; in the Ring election it does not ask for one.
  coordinatorCrash("bully", 4, ["boot", "silence", "preempt"]),
  coordinatorCrash("ring", 3, ["boot", "silence"]),
];
