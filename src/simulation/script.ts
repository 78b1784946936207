/**
 * Scripts: what happens to a ring and when, one action a line, `<time> <verb> <arguments>`, for example `2s crash 5`.
 * The table VERBS names every verb; a new one is one entry.
 */
import { elect, release, request, sendText } from "../../firmware/station.js";
import { quote, UsageError } from "../errors.ts";
import { crash, cutLink, goOn, mendLink, restart, stop } from "./power.ts";
import type { Simulation } from "./simulation.ts";

/** One line of a script. */
export interface Action {
  /** Microseconds from the start of the run. */
  at: number;
  verb: string;
  args: string[];
}

interface Verb {
  /** The arguments as a person reads them. */
  usage: string;
  about: string;
  run(sim: Simulation, args: string[]): void;
}

/** An action on one station; a dead or stopped one takes no command. */
function onStation(about: string, act: (sim: Simulation, position: number) => void): Verb {
  return {
    usage: "ID[,ID...]|all",
    about,
    run: (sim, [ids = ""]) => {
      for (const position of positions(sim, ids)) act(sim, position);
    },
  };
}

const command = (act: (sim: Simulation, position: number) => void) => (sim: Simulation, position: number) => {
  if (sim.power[position] === 0) act(sim, position);
  else sim.note("refused", sim.plan.ids[position], "no-power");
};

export const VERBS: { [verb: string]: Verb } = {
  crash: onStation("power fails, the state is gone", crash),
  restart: onStation("power returns", restart),
  hang: onStation("powered, but deaf and mute", (sim, p) => stop(sim, p)),
  resume: onStation("a hanging station goes on", goOn),
  pause: {
    usage: "ID TIME",
    about: "the processor stands still for a time",
    run: (sim, [ids = "", time = ""]) => {
      for (const p of positions(sim, ids)) stop(sim, p, parseTime(time));
    },
  },
  cut: onStation("the link from the station to its successor breaks", cutLink),
  mend: onStation("the link is whole again", mendLink),
  request: onStation(
    "the station asks for the critical section",
    command((sim, p) => request(sim, sim.stations[p]!)),
  ),
  release: onStation(
    "the station leaves its critical section",
    command((sim, p) => release(sim, sim.stations[p]!)),
  ),
  elect: onStation(
    "the station starts an election",
    command((sim, p) => elect(sim, sim.stations[p]!)),
  ),
  send: {
    usage: "FROM TO|255 TEXT",
    about: "text from one station to another, with the next token",
    run: (sim, [from = "", to = "", ...words]) => {
      const [p] = positions(sim, from);
      const text = encodeURIComponent(words.join(" ")).replace(
        /[*']/g,
        (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
      );
      command((s, q) => sendText(s, s.stations[q]!, Number(to), text))(sim, p as number);
    },
  },
};

/**
 * @param text a duration: `2s`, `250ms`, `40us`, `1m`
 * @returns microseconds
 * @throws UsageError
 */
export function parseTime(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(us|µs|ms|s|m)$/.exec(text);
  if (!match) throw new UsageError(`${quote(text)} is not a time: write for example 2s, 250ms, 40us or 1m`);
  const unit = { us: 1, µs: 1, ms: 1e3, s: 1e6, m: 6e7 }[match[2] as "us"];
  return Math.round(Number(match[1]) * unit);
}

/**
 * @param line for example `2s crash 5`
 * @throws UsageError naming what is wrong and what would fit
 */
export function parseAction(line: string): Action {
  const [time = "", name = "", ...args] = line.trim().split(/\s+/);
  const at = parseTime(time);
  const verb = VERBS[name];
  if (!Object.hasOwn(VERBS, name) || !verb) {
    throw new UsageError(
      `${quote(name)} in ${quote(line)} is no action: use one of ${Object.keys(VERBS).join(", ")}`,
    );
  }
  const wanted = verb.usage.split(" ").length;
  if (args.length < wanted) throw new UsageError(`${quote(line)}: write ${name} ${verb.usage}`);
  return { at, verb: name, args };
}

/** Puts the actions of a script on the simulation's clock. @throws UsageError for a station that the ring does not have */
export function schedule(sim: Simulation, actions: readonly Action[]): void {
  for (const action of actions) {
    const verb = VERBS[action.verb] as Verb;
    if (verb.usage.startsWith("ID") || verb.usage.startsWith("FROM"))
      positions(sim, action.args[0] as string);
    sim.at(action.at, () => verb.run(sim, action.args));
  }
}

/** @returns the positions of stations written as `3`, `1,4` or `all` */
function positions(sim: Simulation, ids: string): number[] {
  if (ids === "all") return sim.plan.ids.map((_, i) => i);
  return ids.split(",").map((text) => {
    const position = /^\d+$/.test(text) ? sim.positionOf(Number(text)) : -1;
    if (position < 0)
      throw new UsageError(`no station of this ring is called ${quote(text)}: it has ${range(sim.plan.ids)}`);
    return position;
  });
}

/** @returns ids as a person reads them */
function range(ids: readonly number[]): string {
  return ids.length > 12 ? `${ids.length} stations, ${ids[0]} to ${ids[ids.length - 1]}` : ids.join(", ");
}
