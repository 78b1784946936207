/** The textbook's tables in words, for people. */
import { mutexNamed } from "../textbook/algorithms.ts";
import type { Comparison } from "../textbook/comparison.ts";

/** A column: its head, and whether it holds numbers. */
type Column = [head: string, kind: "text" | "number"];

/** @returns the tables, with a line at the end that says whether all counts match */
export function comparisonText({
  perEntry,
  simultaneous,
  contended,
  elections,
  matches,
}: Comparison): string {
  const parts = [
    section(
      "One entry that nobody contends",
      "delay: message times from the request to the entry; sync: from an exit to the next entry; ms: on this ring",
      [
        ["algorithm", "text"],
        ["N", "number"],
        ["messages", "number"],
        ["textbook", "number"],
        ["same", "text"],
        ["hops", "number"],
        ["delay", "number"],
        ["sync", "number"],
        ["ms", "number"],
        ["where", "text"],
      ],
      perEntry.map((row) => [
        row.algorithm,
        row.stations,
        row.messages,
        row.theory ?? "-",
        verdict(row.matches),
        row.hops,
        row.delay ?? "-",
        row.synchronisation ?? "-",
        row.delayMs?.toFixed(0) ?? "-",
        row.case,
      ]),
    ),
    section(
      "Stations that ask at the same instant",
      "-: the textbook gives no single number; order: in which they are served",
      [
        ["algorithm", "text"],
        ["N", "number"],
        ["ask", "number"],
        ["messages", "number"],
        ["textbook", "number"],
        ["same", "text"],
        ["an entry", "number"],
        ["hops", "number"],
        ["order", "text"],
      ],
      simultaneous.map((row) => [
        row.algorithm,
        row.stations,
        row.contenders,
        row.messages,
        row.theory ?? "-",
        verdict(row.matches),
        row.perEntry.toFixed(1),
        row.hops,
        mutexNamed(row.algorithm).order,
      ]),
    ),
    section(
      "The contended trace of eight stations",
      "64 slots; in each some stations ask at the same instant",
      [
        ["algorithm", "text"],
        ["mean ask", "number"],
        ["entries", "number"],
        ["messages", "number"],
        ["textbook", "number"],
        ["same", "text"],
      ],
      contended.map((row) => [
        row.algorithm,
        row.meanContenders,
        row.entries,
        row.messages,
        row.theory ?? "-",
        verdict(row.matches),
      ]),
    ),
    section(
      "Elections by who starts",
      "",
      [
        ["algorithm", "text"],
        ["N", "number"],
        ["down", "text"],
        ["starter", "number"],
        ["messages", "number"],
        ["textbook", "number"],
        ["same", "text"],
        ["hops", "number"],
        ["coordinator", "number"],
      ],
      elections.map((row) => [
        row.algorithm,
        row.stations,
        row.down.join(" ") || "none",
        row.starter,
        row.messages,
        row.theory ?? "-",
        verdict(row.matches),
        row.hops,
        row.coordinator,
      ]),
    ),
  ];
  const closing = matches
    ? "Every count matches the textbook."
    : "Not every count matches the textbook: see the rows with NO.";
  return `${parts.filter((part) => part).join("\n")}\n${closing}\n`;
}

function verdict(matches: boolean): string {
  return matches ? "yes" : "NO";
}

/** @returns a table under its title; nothing where it has no rows */
function section(
  title: string,
  note: string,
  columns: readonly Column[],
  rows: readonly (readonly (string | number)[])[],
): string {
  if (!rows.length) return "";
  const cells = [columns.map(([head]) => head), ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, k) => Math.max(...cells.map((row) => row[k]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, k) => (columns[k]?.[1] === "number" ? cell.padStart(widths[k]!) : cell.padEnd(widths[k]!)))
      .join("  ")
      .trimEnd(),
  );
  return `${title}${note ? `\n(${note})` : ""}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
