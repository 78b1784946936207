/** Figures of a run: series for charts, and what the run counted beside what the textbook counts. */
import type { RecordColumns } from "../../log/columns.ts";
import { EVENT_CODE, type RunHeader } from "../../log/records.ts";
import { type RunSummary, Summary } from "../../log/summary/summary.ts";
import { electionAlgorithms } from "../../textbook/algorithms.ts";
import type { RunStore } from "./run-store.ts";

export interface Series {
  x: number[];
  y: number[];
}

export interface ElectionRow {
  /** Seconds. */
  at: number;
  starters: string;
  coordinator: string;
  messages: string;
  total: number;
  /** "21", or "11 to 20"; "" where the textbook has no number for such a case. */
  textbook: string;
  took: string;
}

export interface Figures {
  summary: RunSummary;
  /** Seconds, and milliseconds of a rotation that ends then. */
  rotations: Series;
  /** Seconds, and milliseconds from a request to its entry. */
  waits: Series;
  /** Milliseconds, and number of hops that took about so long. */
  latencies: Series;
  elections: ElectionRow[];
}

/** Points of a chart, at most: more cannot be told apart. */
const MOST_POINTS = 4000;
const BINS = 40;

export function figuresOf(store: RunStore): Figures {
  const { columns, header } = store;
  const summary = new Summary(header);
  summary.write(columns);
  const result = summary.result();
  return {
    summary: result,
    rotations: rotationsOf(columns),
    waits: waitsOf(columns),
    latencies: latenciesOf(columns),
    elections: electionsOf(store, header, result),
  };
}

/** The token at the station that gets the first one. */
function rotationsOf(columns: RecordColumns): Series {
  const series: Series = { x: [], y: [] };
  let [station, before, epoch] = [-1, 0, -1];
  for (let i = 0; i < columns.length; i++) {
    if (columns.event[i] !== EVENT_CODE.hop) continue;
    if (columns.frameTypes[columns.type[i] as number] !== "TOK") continue;
    if (station < 0) station = columns.peer[i] as number;
    if (columns.peer[i] !== station) continue;
    const t = columns.t[i] as number;
    // From one epoch to the next the token was not there: that is no rotation.
    if (columns.a[i] === epoch) {
      series.x.push(t / 1e6);
      series.y.push((t - before) / 1000);
    }
    [before, epoch] = [t, columns.a[i] as number];
  }
  return thinned(series);
}

function waitsOf(columns: RecordColumns): Series {
  const series: Series = { x: [], y: [] };
  const since = new Map<number, number>();
  for (let i = 0; i < columns.length; i++) {
    const station = columns.station[i] as number;
    const t = columns.t[i] as number;
    if (columns.event[i] === EVENT_CODE.request) since.set(station, t);
    else if (columns.event[i] === EVENT_CODE.enter) {
      const asked = since.get(station);
      if (asked === undefined) continue;
      since.delete(station);
      series.x.push(t / 1e6);
      series.y.push((t - asked) / 1000);
    }
  }
  return thinned(series);
}

function latenciesOf(columns: RecordColumns): Series {
  let most = 0;
  let count = 0;
  for (let i = 0; i < columns.length; i++) {
    if (columns.event[i] !== EVENT_CODE.hop) continue;
    count++;
    if ((columns.took[i] as number) > most) most = columns.took[i] as number;
  }
  if (count === 0) return { x: [], y: [] };
  const width = Math.max(1, most / BINS);
  const y = new Array<number>(BINS + 1).fill(0);
  for (let i = 0; i < columns.length; i++) {
    if (columns.event[i] !== EVENT_CODE.hop) continue;
    const bin = Math.floor((columns.took[i] as number) / width);
    y[bin] = (y[bin] as number) + 1;
  }
  return { x: y.map((_, bin) => ((bin + 0.5) * width) / 1000), y };
}

function electionsOf(store: RunStore, header: RunHeader, { electionList }: RunSummary): ElectionRow[] {
  return electionList.map((one) => {
    const down = store
      .at(one.at)
      .stations.filter((s) => s.power !== 0 || !s.inserted)
      .map(({ id }) => id);
    return {
      at: one.at / 1e6,
      starters: one.starters.join(", "),
      coordinator: one.coordinator === undefined ? "none" : String(one.coordinator),
      messages: Object.entries(one.messages)
        .map(([name, n]) => `${n} ${name}`)
        .join(", "),
      total: one.total,
      textbook: theoryWords(header, down, one.starters),
      took: one.took === undefined ? "" : `${(one.took / 1000).toFixed(0)} ms`,
    };
  });
}

function theoryWords({ election, stations: ids }: RunHeader, down: number[], starters: number[]): string {
  const able = starters.length > 0 && starters.every((id) => ids.includes(id) && !down.includes(id));
  const descriptor = electionAlgorithms().find(({ name }) => name === election);
  if (!able || !descriptor) return "";
  const { least, most } = descriptor.theory({ ids, down, starters });
  if (least === most) return String(least);
  return most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`;
}

function thinned({ x, y }: Series): Series {
  const every = Math.ceil(x.length / MOST_POINTS);
  if (every <= 1) return { x, y };
  // Of each few points the highest one stays: that is what one looks for.
  const kept: Series = { x: [], y: [] };
  for (let i = 0; i < x.length; i += every) {
    let best = i;
    for (let k = i; k < Math.min(x.length, i + every); k++)
      if ((y[k] as number) > (y[best] as number)) best = k;
    kept.x.push(x[best] as number);
    kept.y.push(y[best] as number);
  }
  return kept;
}
