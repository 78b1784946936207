/** Everything that takes the records of a run: totals, invariants, log, live capture, and the view for people. */
import type { Violation } from "../check/observer.ts";
import type { RunWatch } from "../check/run-watch.ts";
import { watchOf } from "../host/ring/run-watch-of.ts";
import type { RecordConsumer } from "../log/consumer.ts";
import { guardOutputs, type Input } from "../log/file/overwrite.ts";
import type { RunHeader } from "../log/records.ts";
import { Tally } from "../log/summary/tally.ts";
import { limitsOf, type Plan } from "../simulation/plan.ts";
import type { Ending } from "./ending.ts";
import { CaptureOutput, captureTarget, LogOutput, logTarget } from "./file-outputs.ts";
import { closing, opening } from "./run-words.ts";
import { print, printJson } from "./terminal.ts";
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
  readonly #log: LogOutput | null;
  readonly #capture: CaptureOutput | null;
  #watch: RunWatch | null = null;
  #view: LiveView | null = null;

  constructor(options: OutputOptions, ending: Ending) {
    const { log, pcapng } = options;
    this.#options = options;
    this.#log = log === undefined ? null : new LogOutput(log, ending);
    this.#capture = pcapng === undefined ? null : new CaptureOutput(pcapng, ending);
    this.#people = pcapng === "-" ? process.stderr : process.stdout;
    this.consumers = [this.#tally];
  }

  /**
   * Makes sure that the files may be written, and waits for the readers of those that are pipes.
   * @param inputs what the run reads, and the ports that it uses
   * @throws UsageError for a file that must not be written
   */
  async prepare(inputs: readonly Input[]): Promise<void> {
    const { log, pcapng } = this.#options;
    const targets = [
      ...(log === undefined ? [] : [logTarget(log)]),
      ...(pcapng === undefined || pcapng === "-" ? [] : [captureTarget(pcapng)]),
    ];
    guardOutputs(targets, inputs);
    await this.#log?.prepare();
    await this.#capture?.prepare();
  }

  /** @throws UsageError for a file that cannot be written */
  begin({ plan, header, live, ordered, story }: Beginning): void {
    const { hops, json } = this.#options;
    this.#watch = watchOf(plan, ordered);
    this.#tally.tokenLimit = limitsOf(plan).token * 1000;
    this.consumers.push(this.#watch);
    if (this.#log) this.consumers.push(this.#log.begin(header, live));
    if (this.#capture) this.consumers.push(this.#capture.begin(header));
    if (json) return;
    print(`${opening(plan, header.kind === "boards")}\n`, this.#people);
    if (story.length) print(`${story.join("\n")}\n\n`, this.#people);
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
    const violation = this.#watch?.end(micros) ?? null;
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
    if (this.#options.json) printJson(result, this.#people);
    else print(closing(result, tally, micros), this.#people);
    return violation;
  }

  /** Closes the files, however the run went. @param verdict of a run that no output ended */
  async close(verdict: string): Promise<void> {
    await this.#capture?.close();
    await this.#log?.close(verdict);
  }
}
