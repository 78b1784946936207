/** The ring of a scenario, and what was seen of it so far. */
import { boundOf, SEVERAL } from "../../src/check/bounds.ts";
import { Observer } from "../../src/check/observer.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import { isFrameRecord, type RunRecord } from "../../src/log/records.ts";
import type { Plan } from "../../src/simulation/plan.ts";
import { Simulation } from "../../src/simulation/simulation.ts";

export class Stage {
  readonly sim: Simulation;
  readonly #observer: Observer;
  readonly #records = new RecordColumns();
  /** Records before this one are not counted by `assert`. */
  #mark = 0;
  /** Records before this one were there to be shown. */
  #shown = 0;

  constructor(plan: Plan) {
    this.sim = new Simulation(plan, this.#records);
    this.sim.medium.witness = true;
    const { step, limits } = this.sim.settings;
    const recoveryMicros = 1000 * boundOf({ ...plan, limits }, SEVERAL).ms;
    this.#observer = new Observer({ ...plan, step }, this.#records, { recoveryMicros });
    this.sim.bootAll();
  }

  /** Number of records so far. */
  get length(): number {
    return this.#records.length;
  }

  /** Records from the given one on. */
  from(first: number): RunRecord[] {
    return Array.from({ length: this.length - first }, (_, i) => this.#records.get(first + i));
  }

  /** Records since this was asked for the last time. */
  unseen(): RunRecord[] {
    const records = this.from(this.#shown);
    this.#shown = this.length;
    return records;
  }

  /** @returns the first thing in all that was seen which contradicts what a ring promises; null: nothing does */
  violation(): string | null {
    const found = this.#observer.read();
    return found && `${(found.t / 1e6).toFixed(6)} ${found.claim}: ${found.text}`;
  }

  mark(): void {
    this.#mark = this.length;
  }

  /** Number of records since the mark that a pattern fits. */
  count(pattern: string): number {
    return this.from(this.#mark).filter((record) => fits(record, pattern)).length;
  }
}

/**
 * A pattern names an event of a station (`enter`, or `enter@3` for station 3) or, by its type, a frame that reached the
 * end of a link (`TOK`, or `TOK@3` where station 3 sent it on); `all` is every event of a station.
 */
export function fits(record: RunRecord, pattern: string): boolean {
  const [name, id] = pattern.split("@");
  if (isFrameRecord(record)) {
    const named = record.event === "hop" ? record.type === name : record.event === name;
    return named && (id === undefined || record.from === Number(id));
  }
  return (record.event === name || name === "all") && (id === undefined || record.station === Number(id));
}
