/** The table of algorithms as a page in Markdown has it. */
import { ALGORITHMS } from "./algorithms.ts";

/** @returns the lines of the table, one for each algorithm of ours */
export function algorithmTable(): string {
  const head = ["algorithm", "source", "messages", "order of entry", "what breaks it", "shown by"];
  const rows = ALGORITHMS.map(({ title, source, messages, order, breaks, scenario }) =>
    [title, source, messages, order, breaks, `\`${scenario}\``].map((cell) => cell.replaceAll("|", "\\|")),
  );
  return [head, head.map(() => "---"), ...rows]
    .map((cells, i) => (i === 1 ? `|${cells.join("|")}|` : `| ${cells.join(" | ")} |`))
    .join("\n");
}
