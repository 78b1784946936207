/** What a scenario can assert. Each says in words what is wrong; an empty text means that it holds. */
import { frameTypes } from "../../firmware/registry.js";
import type { Station } from "../../firmware/types.d.ts";
import { UsageError } from "../../src/errors.ts";
import { Codec } from "../../src/simulation/codec.ts";
import { RUNNING, type Simulation } from "../../src/simulation/simulation.ts";
import { fits, type Stage } from "./stage.ts";

type Assertion = (stage: Stage, words: readonly string[]) => string;

const codec = new Codec(frameTypes);

/** Stations that have power, are not standing still and belong to the ring. */
function live(sim: Simulation): Station[] {
  return sim.stations.filter((_, i) => sim.power[i] === RUNNING && sim.mau.isInserted(i));
}

/** Where there are tokens: in live stations, and on links that carry them to one. */
function tokens(sim: Simulation): { where: string; epoch: number }[] {
  const held = live(sim).filter(({ token }) => token.held);
  const { flights } = sim.medium;
  const flying = flights.busy().flatMap((slot) => {
    const from = flights.from[slot] as number;
    if (from < 0) return [];
    const frame = codec.decode(flights.buffer(slot), flights.start(slot), flights.end[slot] as number);
    if (typeof frame === "string" || frame.type !== "TOK") return [];
    return [{ where: `behind ${sim.plan.ids[from]}`, epoch: frame.args[0] as number }];
  });
  return [...held.map(({ id, token }) => ({ where: `at ${id}`, epoch: token.epoch })), ...flying];
}

export const ASSERTIONS: { [name: string]: Assertion } = {
  "one-coordinator": ({ sim }, [id]) => {
    const others = live(sim).filter(({ coordinator }) => coordinator !== Number(id));
    if (others.length)
      return others.map((s) => `station ${s.id} takes ${s.coordinator} for the coordinator`).join(", ");
    const duty = live(sim).filter(({ monitor }) => monitor.duty);
    return duty.length === 1 && duty[0]?.id === Number(id)
      ? ""
      : `the duty of the monitor is with [${duty.map((s) => s.id).join(", ")}]`;
  },

  "one-token": ({ sim }) => {
    const all = tokens(sim);
    const newest = live(sim).reduce((epoch, s) => Math.max(epoch, s.epoch), 0);
    return all.length === 1 && all[0]?.epoch === newest
      ? ""
      : `tokens: [${all.map(({ where, epoch }) => `${where} of epoch ${epoch}`).join(", ")}], newest epoch ${newest}`;
  },

  "no-token": ({ sim }) => (tokens(sim).length ? `a token is ${tokens(sim)[0]?.where}` : ""),

  /** `broken-between 3 4`: station 4 alone beacons, and has named 3 as the one it does not hear. */
  "broken-between": (stage, [before, behind]) => {
    const beaconing = live(stage.sim).filter(({ beacon }) => beacon.sending);
    if (beaconing.length !== 1 || beaconing[0]?.id !== Number(behind))
      return `beacons come from [${beaconing.map((s) => s.id).join(", ")}]`;
    const named = stage
      .from(0)
      .filter((record) => fits(record, `beacon@${behind}`))
      .at(-1);
    const predecessor = named && "fields" in named ? named.fields.predecessor : undefined;
    return predecessor === Number(before) ? "" : `station ${behind} has named ${predecessor}`;
  },

  closed: ({ sim }) => {
    const beaconing = live(sim).filter(({ beacon }) => beacon.sending);
    return beaconing.length ? `beacons come from [${beaconing.map((s) => s.id).join(", ")}]` : "";
  },

  /** `count lost=1 stale=0`: how many records each pattern fits since the mark. */
  count: (stage, words) => {
    const wrong = words.flatMap((word) => {
      const [, pattern = "", wanted = ""] = /^([\w@-]+)=(\d+)$/.exec(word) ?? [];
      if (!pattern) throw new UsageError(`assert count ${word}: write for example lost=1`);
      const n = stage.count(pattern);
      return n === Number(wanted) ? [] : [`${pattern} ${n} instead of ${wanted}`];
    });
    return wrong.join(", ");
  },
};
