/** The run that the page shows: where its records come from, and what is done to it. Its only truth are the records. */
import { batch, computed, signal } from "@preact/signals";
import { UsageError } from "../../../errors.ts";
import { RecordColumns } from "../../../log/columns.ts";
import type { RunHeader } from "../../../log/records.ts";
import { type Action, parseAction } from "../../../simulation/script/script.ts";
import { isTold } from "../../model/notable.ts";
import { RunStore } from "../../model/run-store.ts";
import { actionText, planOfWords, type SetUp, timeText } from "../../model/set-up.ts";
import type { Story } from "../../model/story.ts";
import type { Answer, Ask } from "../../model/worker-messages.ts";
import { endOf, type RunEnd } from "./run-end.ts";
import { startWorker } from "./start-worker.ts";

/** One way in which a simulated run goes: those that are left when the past is changed are kept. */
export interface Branch {
  name: string;
  setUp: SetUp;
  /** Where it parts from another, µs, and what is done there. */
  fork?: { at: number; what: string };
  until: number;
  /** How far it has been shown, µs. */
  frontier: number;
  /** How it ends, once it is simulated that far. */
  end?: RunEnd;
}

export type Source = "simulation" | "log" | "live";

export const source = signal<Source>("simulation");
export const store = signal<RunStore | null>(null);
/** Grows when records have come. */
export const version = signal(0);
export const branches = signal<Branch[]>([]);
export const current = signal(0);
export const story = signal<Story | null>(null);
/** One line for the person: what went wrong, or what was done. */
export const notice = signal("");
/** A claim that does not hold, in words; "" while all do. */
export const violation = signal("");
/** Whole states of the stations at the moment that was last looked at. */
export const states = signal<{ at: number; states: { [key: string]: unknown }[] } | null>(null);
/** The moment shown, µs. */
export const now = signal(0);
export const playing = signal(false);
/** Name of a log that is shown. */
export const logName = signal("");

export const branch = computed(() => branches.value[current.value]);
export const header = computed<RunHeader | null>(() => {
  version.value;
  return store.value?.header ?? null;
});
/** The ring at the moment shown. */
export const ring = computed(() => {
  version.value;
  return store.value?.at(now.value) ?? null;
});

/** A run is shown from so long before its first event on, µs. */
const LEAD_IN = 60_000;

const worker = startWorker();
let run = 0;
/** The records of a run that has been asked for and is not yet shown. */
let coming: RunStore | null = null;

function ask(question: Ask): void {
  worker.postMessage(question);
}

worker.onmessage = ({ data }: MessageEvent<Answer>) => {
  if (data.run !== run) return;
  switch (data.kind) {
    case "header":
      coming = new RunStore(data.header);
      break;
    case "records":
      (coming ?? store.value)?.add(RecordColumns.of(data.parts));
      if (!coming || source.value !== "simulation") show();
      break;
    case "reached":
      reached(data);
      break;
    case "states":
      states.value = { at: data.at, states: data.states };
      break;
    case "refused":
      notice.value = data.reason;
      break;
  }
};

/** What has come takes the place of what was shown. */
function show(): void {
  batch(() => {
    if (coming) store.value = coming;
    coming = null;
    version.value++;
  });
}

function reached({ until, full, violation: bad, warnings }: Extract<Answer, { kind: "reached" }>): void {
  batch(() => {
    const known = coming ?? store.value;
    if (!known) return;
    known.end = Math.max(known.end, until);
    known.ended = source.value !== "simulation" || full;
    known.warnings = full ? [...warnings, "there is no room for more records: the run ends here"] : warnings;
    violation.value = bad;
    show();
    if (known.warnings.length) notice.value = known.warnings.join("; ");
    if (now.value === 0) now.value = beginning(known);
    if (branch.value && source.value === "simulation")
      amend({ end: endOf(known.columns, known.end, bad), until: known.end });
  });
}

/** A little before the first thing that is told: a ring that powers up is silent for long. */
function beginning({ columns }: RunStore): number {
  for (let i = 0; i < columns.length; i++)
    if (isTold(columns, i)) return Math.max(0, (columns.t[i] as number) - LEAD_IN);
  return 0;
}

function amend(change: Partial<Branch>): void {
  branches.value = branches.value.map((one, i) => (i === current.value ? { ...one, ...change } : one));
}

function simulate({ setUp, until }: Branch): void {
  const { plan } = planOfWords(setUp.words);
  coming = null;
  states.value = null;
  ask({ kind: "simulate", run: ++run, plan, script: setUp.actions, until });
}

/** Opens a set-up as a new run, without branches. @throws UsageError */
export function open(setUp: SetUp, told: Story | null = null): void {
  const { until } = planOfWords(setUp.words);
  batch(() => {
    source.value = "simulation";
    branches.value = [{ name: "A", setUp, until, frontier: 0 }];
    current.value = 0;
    story.value = told;
    now.value = 0;
    notice.value = "";
    violation.value = "";
  });
  simulate(branches.value[0] as Branch);
}

/** Shows a log instead. */
export function openLog(name: string, file: Blob): void {
  batch(() => {
    source.value = "log";
    logName.value = name;
    branches.value = [];
    story.value = null;
    now.value = 0;
    playing.value = false;
    notice.value = "";
    violation.value = "";
    store.value = null;
    coming = null;
  });
  ask({ kind: "log", run: ++run, name, file });
}

/** Goes to another branch, at the same moment. */
export function goTo(index: number): void {
  const target = branches.value[index];
  if (!target || index === current.value) return;
  current.value = index;
  simulate(target);
}

/** Simulates on, so that the run is known up to `until`, µs. */
export function extend(until: number): void {
  if (source.value === "simulation" && !store.value?.ended) ask({ kind: "extend", run, until });
}

/** Asks what the stations know at the moment shown. */
export function look(): void {
  if (source.value === "simulation") ask({ kind: "look", run, at: Math.floor(now.value) });
}

/** What does something to a ring of boards; null where the ring is simulated here. */
export const remote = signal<((verb: string, args: string[]) => Promise<void>) | null>(null);

/** Does something to the ring at the moment shown. In the past this is a fork: the run goes on differently from here. */
export function act(verb: string, ...args: string[]): void {
  if (remote.value) {
    void remote.value(verb, args);
    return;
  }
  const before = branch.value;
  if (source.value !== "simulation" || !before) {
    notice.value = "a log is what has happened: nothing can be done to it";
    return;
  }
  const at = Math.max(0, Math.floor(now.value));
  const action: Action = { at, verb, args };
  try {
    parseAction(actionText(action));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    notice.value = error.message;
    return;
  }
  const what = [verb, ...args].join(" ");
  const isPast = at < Math.floor(before.frontier) - 1000;
  const kept = before.setUp.actions.filter((one) => !isPast || one.at <= at);
  const actions = [...kept, action].sort((a, b) => a.at - b.at);
  const setUp = { words: before.setUp.words, actions };
  const until = Math.max(before.until, at + 5_000_000);
  batch(() => {
    if (isPast) {
      const name = String.fromCharCode(65 + (branches.value.length % 26));
      branches.value = [...branches.value, { name, setUp, until, frontier: at, fork: { at, what } }];
      current.value = branches.value.length - 1;
      notice.value = `forked at ${timeText(at)}: branch ${name} goes on with ${what}, ${before.name} is kept`;
    } else {
      amend({ setUp, until });
      notice.value = "";
    }
  });
  simulate(branches.value[current.value] as Branch);
}

/** Notes how far the run has been seen. */
export function seen(t: number): void {
  const shown = branch.value;
  // Not a signal's business: it changes with every picture.
  if (shown && t > shown.frontier) shown.frontier = t;
}
