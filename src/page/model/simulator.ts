/**
 * Plan and script make a run: as far as it is asked for, and again from the start to look at the stations of a moment.
 */
import { RecordColumns } from "../../log/columns.ts";
import type { Plan } from "../../simulation/plan.ts";
import { type Action, schedule } from "../../simulation/script/script.ts";
import { Simulation } from "../../simulation/simulation.ts";

/** Records that are handed on are forgotten when so many have gathered: a fault may repeat the last frame. */
const KEPT = 65_536;

export class Simulator {
  readonly #records = new RecordColumns(4096);
  #taken = 0;
  readonly #sim: Simulation;
  /** Plays the run again up to moments that are looked at. */
  #again: Simulation | null = null;
  readonly #plan: Plan;
  readonly #script: readonly Action[];

  /** @throws UsageError for a script that does not fit the plan */
  constructor(plan: Plan, script: readonly Action[]) {
    this.#plan = plan;
    this.#script = script;
    this.#sim = started(plan, script, this.#records);
  }

  /** Microseconds that are simulated. */
  get now(): number {
    return this.#sim.clock.now;
  }

  /**
   * Goes on by at most so many steps.
   * @returns whether `until` (µs) is reached
   */
  run(until: number, steps: number): boolean {
    const { clock } = this.#sim;
    for (let k = 0; k < steps; k++) {
      if (clock.peek() > until) {
        clock.advance(until);
        return true;
      }
      this.#sim.step();
    }
    return false;
  }

  /** Adds the records since the last call to a batch. */
  take(batch: RecordColumns): void {
    const records = this.#records;
    while (this.#taken < records.length) batch.copy(records, this.#taken++);
    if (records.length < KEPT) return;
    records.clear();
    this.#taken = 0;
  }

  /** @returns what each station knows at `at` (µs), as plain data */
  look(at: number): { [key: string]: unknown }[] {
    if (!this.#again || this.#again.clock.now > at)
      this.#again = started(this.#plan, this.#script, new RecordColumns(4096));
    this.#again.runUntil(at);
    if (this.#again.records.length > KEPT) this.#again.records.clear();
    return this.#again.stations.map(({ settings: _, ...state }) => state);
  }
}

function started(plan: Plan, script: readonly Action[], records: RecordColumns): Simulation {
  const sim = new Simulation(plan, records);
  sim.bootAll();
  schedule(sim, script);
  return sim;
}
