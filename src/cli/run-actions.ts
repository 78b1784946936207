/** What happens in a run, and when: the actions that there are, and those drawn from a seed. */
import { BOARD_VERBS, canDo } from "../host/ring/board-actions.ts";
import type { Plan } from "../simulation/plan.ts";
import { faultScript } from "../simulation/script/fault-script.ts";
import { type Action, parseAction, VERBS } from "../simulation/script/script.ts";
import { print } from "./terminal.ts";

export interface ActionOptions {
  at?: string[];
  script?: string;
  /** Seed of faults at random. */
  faults?: number;
}

/**
 * Draws faults that the ring can have, and prints them so that --script can repeat them.
 * @param until length of the run, µs
 */
export function drawActions(seed: number, plan: Plan, boards: boolean, until: number): Action[] {
  const lines = faultScript(plan, seed, until, boards ? (verb) => canDo(verb, plan.wiring) : () => true);
  const head = `# faults of seed ${seed}; as a file they can be repeated with --script`;
  print(`${[head, ...lines].join("\n")}\n`, process.stderr);
  return lines.map(parseAction);
}

/** The actions of a script as --help lists them. */
export function actionHelp(): string {
  const rows = Object.entries(VERBS).map(([verb, { usage, about }]): [string, string, string] => {
    const entry = BOARD_VERBS[verb];
    return [entry ? (entry.needs ? "h" : "b") : " ", `${verb} ${usage}`, about];
  });
  const width = Math.max(...rows.map(([, action]) => action.length));
  return [
    "Actions of --at and --script, each behind a time: all on simulated rings, b also on boards, h on boards of a hub",
    ...rows.map(([where, action, about]) => `  ${where} ${action.padEnd(width)}  ${about}`),
  ].join("\n");
}
