/**
 * A Mermaid sequence diagram for a lab report. Renderers refuse more than 50,000 characters and get slow long before, so
 * a diagram has so many lines at most. A run that has more is told with less detail: its messages without their hops,
 * then only what happens to the stations; the first note of the diagram says so. A token that only goes round is one
 * note.
 */

import type { RunSource } from "../file/source.ts";
import { formatTime } from "../format.ts";
import { CONDITIONS, type Condition, Conditions } from "../picture/conditions.ts";
import type { Exporter } from "./exporter.ts";
import { DETAILS, Diagram } from "./mermaid-diagram.ts";

const BEFORE: { readonly [condition in Condition]: string } = {
  dead: "is dead",
  stopped: "stands still",
  out: "is out of the ring",
  duty: "is the coordinator",
  inside: "is inside",
};

export const mermaid: Exporter = {
  name: "mermaid",
  ending: ".mmd",
  begins: "sequenceDiagram",
  about: "a sequence diagram for a report, on GitHub or mermaid.live",
  *pieces(source: RunSource) {
    const { stations } = source.header;
    const diagrams = DETAILS.map((detail) => new Diagram(stations, detail));
    yield* tellBefore(source, diagrams);
    for (const columns of source.blocks()) {
      for (let i = 0; i < columns.length; i++) {
        const record = columns.get(i);
        for (const diagram of diagrams) diagram.add(record);
      }
      yield "";
    }
    for (const diagram of diagrams) diagram.flush();
    const first = diagrams.find(({ rest }) => rest === 0) ?? (diagrams.at(-1) as Diagram);
    yield first.close();
  },
};

/** What the stations were when the window began. */
function* tellBefore(source: RunSource, diagrams: readonly Diagram[]): Generator<string, void, void> {
  if (!source.window || !source.prelude) return;
  const conditions = new Conditions(() => {});
  for (const columns of source.prelude()) {
    for (let i = 0; i < columns.length; i++) conditions.write(columns, i);
    yield "";
  }
  for (const id of source.header.stations) {
    const on = conditions.of(id);
    const words = CONDITIONS.filter((condition) => on.has(condition)).map((condition) => BEFORE[condition]);
    if (words.length === 0) continue;
    const note = `at ${formatTime(source.window.from)} s: ${words.join(" and ")}`;
    for (const diagram of diagrams) diagram.before(id, note, on.has("inside"));
  }
}
