/**
 * Visits every state that a small ring can reach, the nearest first, and checks safety at each step. At the end it checks
 * that from every state the ring can still come to rest: one coordinator, one token, and no frame that goes round for ever.
 */
import type { Settings } from "../../../firmware/types.d.ts";
import { keyOf } from "./canonical.ts";
import { describe, Model, type Step, tokensOf } from "./model.ts";
import type { Budget, Node } from "./node.ts";
import { StateTable } from "./state-table.ts";

export interface Exploration {
  states: number;
  steps: number;
  /** No state was left out. */
  complete: boolean;
  /** What went wrong, and the steps that lead there; null: nothing. */
  violation: { text: string; trace: string[] } | null;
}

export interface ExploreOptions {
  ids: readonly number[];
  settings: Settings;
  budget: Budget;
  /** The ring has formed already; else all stations have just powered up. */
  formed: boolean;
  /** The search ends incomplete after so many states. */
  mostStates: number;
  /** Called now and then with the number of states so far. */
  onStates?: (states: number) => void;
}

/** So many states are visited between two calls of onStates: about a tenth of a second. */
const REPORT_EVERY = 1 << 12;

export function explore(options: ExploreOptions): Exploration {
  const model = new Model(options.ids, options.settings);
  const table = new StateTable();
  const edges = new Edges();
  const first = options.formed ? model.startFormed(options.budget) : model.start(options.budget);
  let level: Node[] = [first];
  const firstKey = keyOf(first);
  table.find(firstKey.high, firstKey.low, -1, -1);
  const good: number[] = [];
  let number = 0;
  while (level.length > 0 && table.length <= options.mostStates) {
    const next: Node[] = [];
    for (const node of level) {
      const from = number++;
      if (from % REPORT_EVERY === 0) options.onStates?.(table.length);
      if (isGood(node)) good.push(from);
      const steps = model.steps(node);
      for (let k = 0; k < steps.length; k++) {
        const after = model.after(node, steps[k] as Step);
        const text = model.violation;
        if (text) {
          const trace = [...traceTo(model, table, first, from), describe(steps[k] as Step, options.ids)];
          return {
            states: table.length,
            steps: edges.length,
            complete: false,
            violation: { text, trace },
          };
        }
        const key = keyOf(after);
        const found = table.find(key.high, key.low, from, k);
        if (found < 0) next.push(after);
        edges.add(from, found < 0 ? -1 - found : found);
      }
    }
    level = next;
  }
  const complete = level.length === 0;
  const result = { states: table.length, steps: edges.length, complete, violation: null };
  if (!complete) return result;
  const stuck = edges.cannotReach(good, table.length);
  if (stuck < 0) return result;
  const text = "from here the ring never comes to rest with one coordinator and one token";
  return { ...result, violation: { text, trace: traceTo(model, table, first, stuck) } };
}

/**
 * One coordinator on whom all agree, one token, and no other frame under way that could go round for ever.
 */
function isGood(node: Node): boolean {
  const live = node.stations.filter((s) => s !== null);
  const monitor = live.find((s) => s.monitor.duty);
  if (!monitor) return live.length === 0;
  if (node.links.some((frames) => frames.some((f) => f.type !== "TOK"))) return false;
  const agreed = live.every((s) => s.coordinator === monitor.id && (s === monitor || !s.monitor.duty));
  return agreed && tokensOf(node, monitor.epoch) === 1;
}

/** @returns the steps from the start to a state */
function traceTo(model: Model, table: StateTable, first: Node, state: number): string[] {
  const path: number[] = [];
  for (let s = state; s > 0; s = table.parent[s] as number) path.push(table.step[s] as number);
  const lines: string[] = [];
  let node = first;
  for (const k of path.reverse()) {
    const step = model.steps(node)[k] as Step;
    const [frame] = step.kind === "deliver" || step.kind === "lose" ? (node.links[step.position] ?? []) : [];
    const what = frame ? `: ${frame.type},${frame.src},${frame.dst},${frame.args.join()}` : "";
    lines.push(`${describe(step, model.ids)}${what}`);
    node = model.after(node, step);
  }
  return lines;
}

/** Steps between states, for the question from where something can be reached. */
class Edges {
  length = 0;
  #from = new Int32Array(1 << 16);
  #to = new Int32Array(1 << 16);

  add(from: number, to: number): void {
    if (this.length === this.#from.length) {
      this.#from = doubled(this.#from);
      this.#to = doubled(this.#to);
    }
    this.#from[this.length] = from;
    this.#to[this.length++] = to;
  }

  /** @returns the first state from which none of the targets can be reached; -1 when there is none */
  cannotReach(targets: readonly number[], states: number): number {
    const start = new Int32Array(states + 1);
    for (let i = 0; i < this.length; i++) (start[(this.#to[i] as number) + 1] as number)++;
    for (let i = 0; i < states; i++) start[i + 1] = (start[i + 1] as number) + (start[i] as number);
    const fill = start.slice();
    const sources = new Int32Array(this.length);
    for (let i = 0; i < this.length; i++) {
      const to = this.#to[i] as number;
      sources[fill[to] as number] = this.#from[i] as number;
      fill[to] = (fill[to] as number) + 1;
    }
    const reached = new Uint8Array(states);
    const queue = targets.slice();
    for (const target of targets) reached[target] = 1;
    for (let state = queue.pop(); state !== undefined; state = queue.pop()) {
      for (let i = start[state] as number; i < (start[state + 1] as number); i++) {
        const source = sources[i] as number;
        if (reached[source]) continue;
        reached[source] = 1;
        queue.push(source);
      }
    }
    return reached.indexOf(0);
  }
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const bigger = new Int32Array(array.length * 2);
  bigger.set(array);
  return bigger;
}
