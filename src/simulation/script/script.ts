/**
 * Scripts: what happens to a ring and when, one action a line, `<time> <verb> <arguments>`, for example `2s crash 5`.
 * The table VERBS names every verb; a new one is one entry.
 */
import { quote, UsageError } from "../../errors.ts";
import type { Simulation } from "../simulation.ts";
import { parseTime } from "./arguments.ts";
import { FAULT_VERBS } from "./fault-verbs.ts";
import { COMMAND_VERBS, type Verb, type Verbs } from "./verbs.ts";

export { parseTime } from "./arguments.ts";

/** One line of a script. */
export interface Action {
  /** Microseconds from the start of the run. */
  at: number;
  verb: string;
  args: string[];
  /** File and line that it comes from. */
  where?: string;
}

export const VERBS: Verbs = { ...COMMAND_VERBS, ...FAULT_VERBS };

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
  const words = verb.usage.split(" ").filter((word) => word);
  const least = words.filter((word) => !word.startsWith("[")).length;
  // A text may be of any number of words.
  const most = words.at(-1) === "TEXT" ? Infinity : words.length;
  if (args.length < least || args.length > most) {
    throw new UsageError(
      `${quote(line)}: write ${name}${verb.usage ? ` ${verb.usage}` : " and nothing more"}`,
    );
  }
  return { at, verb: name, args };
}

/** Reads an action for a ring. @throws UsageError of `read`, with the file and line that the action comes from */
export function located<T>({ where }: Action, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (where === undefined || !(error instanceof UsageError)) throw error;
    throw new UsageError(`${where}: ${error.message}`);
  }
}

/**
 * Puts the actions of a script on the simulation's clock.
 * @throws UsageError for a station that the ring does not have, or an argument that does not fit
 */
export function schedule(sim: Simulation, actions: readonly Action[]): void {
  const acts = actions.map((action) =>
    located(action, () => (VERBS[action.verb] as Verb).prepare(sim, action.args)),
  );
  actions.forEach((action, i) => {
    sim.at(action.at, acts[i] as () => void);
  });
}
