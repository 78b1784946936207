/** Everything that takes the records of a run: totals, invariants, log, live capture, and the view for people. */
import type { Violation } from "../check/observer.ts";
import type { RunWatch } from "../check/run-watch.ts";
import { watchOf } from "../host/ring/run-watch-of.ts";
import type { RecordConsumer } from "../log/consumer.ts";
import { PcapngOutput } from "../log/export/pcapng-output.ts";
import { NdjsonWriter } from "../log/file/ndjson-writer.ts";
import { mayReplaceRun } from "../log/file/overwrite.ts";
import type { RunHeader } from "../log/records.ts";
import { Tally } from "../log/summary/tally.ts";
import { limitsOf, type Plan } from "../simulation/plan.ts";
import { closing, opening } from "./run-words.ts";
import { LiveView } from "./view.ts";

export interface OutputOptions {
  log?: string;
  /** A path, or `-` for stdout: then people read stderr. */
  pcapng?: string;
  hops?: boolean;
  json?: boolean;
}

/** What is known of a run when it begins. */
export interface Beginning {
  plan: Plan;
  header: RunHeader;
  /** It goes against the wall clock: a person may be watching the file. */
  live: boolean;
  /** Records stand in the order in which things happened, as in a simulation. */
  ordered: boolean;
  /** Told before the first event; may be empty. */
  story: readonly string[];
}

export class RunOutputs {
  /** Grows when the run begins. */
  readonly consumers: RecordConsumer[];
  readonly #options: OutputOptions;
  readonly #people: NodeJS.WriteStream;
  readonly #tally = new Tally();
  #watch: RunWatch | null = null;
  #log: NdjsonWriter | null = null;
  #capture: PcapngOutput | null = null;
  #view: LiveView | null = null;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.#people = options.pcapng === "-" ? process.stderr : process.stdout;
    this.consumers = [this.#tally];
  }

  /** @throws UsageError for a file that cannot be written */
  begin({ plan, header, live, ordered, story }: Beginning): void {
    const { log, pcapng, hops, json } = this.#options;
    this.#watch = watchOf(plan, ordered);
    this.#tally.tokenLimit = limitsOf(plan).token * 1000;
    this.consumers.push(this.#watch);
    if (log !== undefined) {
      mayReplaceRun(log);
      const writer = new NdjsonWriter(log, header);
      this.#log = writer;
      this.consumers.push(writer);
      if (live) this.consumers.push({ write: () => writer.flush() });
    }
    if (pcapng !== undefined) {
      this.#capture = new PcapngOutput(pcapng, header);
      this.consumers.push(this.#capture);
    }
    if (json) return;
    this.#people.write(`${opening(plan)}\n`);
    if (story.length) this.#people.write(`${story.join("\n")}\n\n`);
    this.#view = new LiveView(this.#people, hops === true, plan.ids.length);
    this.consumers.push(this.#view);
  }

  /**
   * Says how the run went.
   * @returns the first violation of an invariant; null: there was none
   */
  end(stations: number, micros: number): Violation | null {
    this.#view?.end();
    const tally = this.#tally;
    const violation = this.#watch?.violation ?? null;
    const result = {
      stations,
      hops: tally.count("hop"),
      entries: tally.count("enter"),
      coordinator: tally.coordinator,
      epoch: tally.epoch,
      violations: violation ? 1 : 0,
      writes: tally.writes,
      events: tally.byEvent(),
      requests: tally.requests.counts(),
      token: tally.token.result(micros),
      log: this.#options.log ?? null,
    };
    if (this.#options.json) this.#people.write(`${JSON.stringify(result)}\n`);
    else this.#people.write(closing(result, tally, micros));
    return violation;
  }

  /** Closes the files, however the run went. */
  close(verdict: string): void {
    this.#log?.close(this.#log.footer(verdict));
    this.#capture?.close();
  }
}
