/** The summary of a run as text for a terminal. */
import { escapeControls } from "../../errors.ts";
import { formatStation, formatTime } from "../format.ts";
import type { RunHeader } from "../records.ts";
import type { ElectionSummary } from "./elections.ts";
import type { RequestCounts } from "./requests.ts";
import type { RunSummary, Spread } from "./summary.ts";
import type { TokenGap, TokenTimes } from "./token-times.ts";

/** So many rows of a table are shown; JSON has them all. */
const ROWS = 20;
/** So many stations that wait are named. */
const WAITING = 5;

/** @returns lines without newlines */
export function summaryLines(header: RunHeader, run: RunSummary): string[] {
  const { stations, wiring, baud, election, seed } = header;
  const count = `${stations.length} station${stations.length === 1 ? "" : "s"}`;
  const ring = [count, wiring, `${baud} baud`, `election ${election}`];
  if (seed !== undefined) ring.push(`seed ${seed}`);
  const facts: [string, string][] = [
    ["ring", escapeControls(ring.join(", "))],
    ["time", `${formatTime(run.first)} to ${formatTime(run.last)} s`],
    ["records", String(run.records)],
    ["hops", `${run.hops}${inBrackets(run.hopsByType)}`],
    ["rotations", `${run.rotations}${spreadText(run.rotation)}`],
    ["token", tokenText(run)],
    ["entries", `${run.entries}${run.wait.count ? `, wait${spreadText(run.wait)}` : ""}`],
    ["requests", requestsText(run.requests)],
    ["coordinator", run.coordinator === null ? "none" : `${run.coordinator}, epoch ${run.epoch}`],
    ["faults", listed(run.faults)],
    ...(Object.keys(run.injected).length ? [["injected", listed(run.injected)] as [string, string]] : []),
    ["refused frames", listed(run.refused)],
  ];
  const lines = facts.map(([name, value]) => `${name.padEnd(16)}${value}`);
  lines.push(...outageTable(run.token), ...electionTable(run));
  lines.push(
    ...table(
      ["station", "requests", "entries", "wait mean", "wait max", "inside"],
      run.stations
        .filter((s) => s.requests || s.entries)
        .map((s) => [
          String(s.id),
          String(s.requests),
          String(s.entries),
          ms(s.waitMean),
          ms(s.waitMax),
          ms(s.inside),
        ]),
    ),
    ...table(
      ["link", "hops", "dropped", "corrupted"],
      run.links.map((link) => [
        `${formatStation(link.from)}→${formatStation(link.to)}`,
        String(link.hops),
        String(link.dropped),
        String(link.corrupted),
      ]),
    ),
  );
  return lines;
}

function electionTable(run: RunSummary): string[] {
  return table(
    ["election at", "by", "because of", "messages", "coordinator", "after"],
    run.electionList.map((e) => [
      formatTime(e.at),
      e.starters.join(","),
      escapeControls(e.causes.join(",")),
      messages(e),
      e.coordinator === undefined ? (e.abandoned ? "given up" : "none") : String(e.coordinator),
      e.took === undefined ? "" : ms(e.took),
    ]),
    run.elections,
  );
}

/** The first token of a ring is made, and replaces none. */
function tokenText({ token }: RunSummary): string {
  const { first, made, lost, gap } = token;
  if (first === null) return "none";
  const parts = [`made ${made}, lost ${lost}`, `first at ${formatTime(first)} s`];
  if (gap) parts.push(`largest gap ${gapText(gap)}`);
  return parts.join(", ");
}

/** @returns how long it was, when, and who was inside meanwhile */
export function gapText({ from, took, inside }: TokenGap): string {
  return `${ms(took)} from ${formatTime(from)} s${inside === undefined ? "" : ` (${inside} was inside)`}`;
}

/** @returns `asked 6, served 5, gone 1 (with its station), waiting 1 (3 since 7.000000 s)` */
export function requestsText({ asked, served, gone, waiting }: RequestCounts): string {
  const since = waiting.slice(0, WAITING).map((w) => `${w.station} since ${formatTime(w.since)} s`);
  const more = waiting.length > WAITING ? [...since, "..."] : since;
  return [
    `asked ${asked}`,
    `served ${served}`,
    ...(gone ? [`gone ${gone} (with the station)`] : []),
    `waiting ${waiting.length}${more.length ? ` (${more.join(", ")})` : ""}`,
  ].join(", ");
}

function outageTable({ outages, outage, outageList }: TokenTimes): string[] {
  const rows = outageList.map(({ from, to, took, cause, open }) => [
    formatTime(from),
    open ? "the end" : formatTime(to),
    ms(took),
    escapeControls(cause),
  ]);
  const lines = table(["no token from", "to", "for", "because of"], rows, outages);
  return outages > 1 ? [...lines, `${outages} outages, ${ms(outage)} in all`] : lines;
}

function messages(e: ElectionSummary): string {
  const names = Object.entries(e.messages).map(([name, n]) => `${escapeControls(name)} ${n}`);
  const all = names.length > 1 ? [...names, `total ${e.total}`] : names;
  return [...all, ...(e.retries ? [`again ${e.retries}`] : [])].join(", ");
}

/** @param total how many rows there are in all, where not all are given */
function table(head: string[], rows: string[][], total = rows.length): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, ROWS);
  const widths = head.map((name, k) =>
    Math.max(name.length, ...shown.map((row) => (row[k] as string).length)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, k) => cell.padEnd(widths[k] as number))
      .join("  ")
      .trimEnd();
  const rest = total - shown.length;
  return ["", line(head), ...shown.map(line), ...(rest > 0 ? [`and ${rest} more (--json has them)`] : [])];
}

function listed(counts: { [name: string]: number }): string {
  const parts = Object.entries(counts).map(([name, n]) => `${escapeControls(name)} ${n}`);
  return parts.length ? parts.join(", ") : "none";
}

function inBrackets(counts: { [name: string]: number }): string {
  return Object.keys(counts).length ? ` (${listed(counts)})` : "";
}

function spreadText(times: Spread): string {
  return times.count ? ` p50 ${ms(times.p50)}, p99 ${ms(times.p99)}, max ${ms(times.max)}` : "";
}

function ms(micros: number): string {
  return `${(micros / 1000).toFixed(3)} ms`;
}
