/** The textbook's tables as one CSV file: RFC 4180, a column `table` tells them apart. */
import type { Comparison } from "./comparison.ts";

const COLUMNS = [
  "table",
  "algorithm",
  "stations",
  "case",
  "contenders",
  "meanContenders",
  "down",
  "starter",
  "entries",
  "messages",
  "theory",
  "perEntry",
  "hops",
  "delay",
  "synchronisation",
  "delayMs",
  "coordinator",
  "matches",
] as const;

/** @returns the file's text, lines ended by CR LF as the RFC has it; an empty field where a table has no such column */
export function comparisonCsv(comparison: Comparison): string {
  const { perEntry, simultaneous, contended, elections } = comparison;
  const tables: [string, readonly object[]][] = [
    ["perEntry", perEntry],
    ["simultaneous", simultaneous],
    ["contended", contended],
    ["elections", elections],
  ];
  const lines = tables.flatMap(([table, rows]) =>
    rows.map((row) => {
      const values: { [column: string]: unknown } = { table, ...row };
      return COLUMNS.map((column) => field(values[column])).join(",");
    }),
  );
  return [COLUMNS.join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

function field(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = Array.isArray(value) ? value.join(" ") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
