/** Messages per entry against the number of stations, as an SVG: marks are measured, lines are the textbook's. */
import { mutexNamed } from "./algorithms.ts";
import type { PerEntryRow } from "./comparison.ts";

const WIDTH = 920;
const HEIGHT = 520;
const PLOT = { left: 64, right: 620, top: 56, bottom: 464 };
const LABEL_GAP = 17;
const SANS = "system-ui, sans-serif";

/** Colours that people who confuse red and green can tell apart (Okabe and Ito 2008), and a mark of its own for each. */
const STYLES: readonly { colour: string; mark: string }[] = [
  { colour: "#0072b2", mark: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z" },
  { colour: "#d55e00", mark: "M-4 -4h8v8h-8z" },
  { colour: "#009e73", mark: "M0 -5l5 9h-10z" },
  { colour: "#cc79a7", mark: "M0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z" },
  { colour: "#000000", mark: "M0 5l5 -9h-10z" },
  { colour: "#8c6d1f", mark: "M-5 -1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z" },
  { colour: "#3a9bd5", mark: "M-4 -4h8v8h-8z" },
  { colour: "#555555", mark: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z" },
  { colour: "#a05195", mark: "M0 -5l5 9h-10z" },
];

interface Series {
  name: string;
  points: { n: number; messages: number; theory: number | null }[];
}

/** @returns the SVG file's text; algorithms with the same numbers share a line and a label */
export function comparisonChart(rows: readonly PerEntryRow[]): string {
  const series = seriesOf(rows);
  const sizes = [...new Set(rows.map(({ stations }) => stations))].sort((a, b) => a - b);
  const most = Math.max(10, ...series.flatMap(({ points }) => points.map(({ messages }) => messages)));
  const x = logScale(sizes[0] ?? 1, Math.max((sizes[0] ?? 1) + 1, ...sizes), PLOT.left, PLOT.right);
  const y = logScale(1, most * 1.2, PLOT.bottom, PLOT.top);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title about">`,
    `<title id="title">Messages per entry against the number of stations</title>`,
    `<desc id="about">Uncontended entry into the critical section. Marks: counted on the ring; lines: the textbook. Both axes are logarithmic.</desc>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(PLOT.left, 26, "Messages for one entry that nobody contends", 16, "start", "600"),
    text(PLOT.left, 44, "marks: counted on the ring, lines: the textbook", 12, "start", "400", "#555555"),
    axes(sizes, most, x, y),
    ...series.map((one, i) => curve(one, STYLES[i % STYLES.length] as (typeof STYLES)[0], x, y)),
    labels(series, y),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
}

/** A logarithmic scale has no zero: what costs nothing is left out. */
function seriesOf(rows: readonly PerEntryRow[]): Series[] {
  const found = new Map<string, Series>();
  const drawn = rows.filter(({ messages }) => messages >= 1);
  for (const { algorithm, case: place, stations, messages, theory } of drawn) {
    const { title } = mutexNamed(algorithm);
    const several = drawn.some((row) => row.algorithm === algorithm && row.case !== place);
    const name = several ? `${title}, ${place}` : title;
    const one = found.get(name) ?? { name, points: [] };
    one.points.push({ n: stations, messages, theory });
    found.set(name, one);
  }
  const shared = new Map<string, Series>();
  for (const one of found.values()) {
    const key = JSON.stringify(one.points);
    const other = shared.get(key);
    if (other) other.name = bothNames(other.name, one.name);
    else shared.set(key, one);
  }
  return [...shared.values()];
}

/** "Ricart and Agrawala (also implicit replies)", where the second is named as a variant of the first. */
function bothNames(name: string, other: string): string {
  return other.startsWith(`${name}, `)
    ? `${name} (also ${other.slice(name.length + 2)})`
    : `${name} = ${other}`;
}

function logScale(from: number, to: number, start: number, end: number): (value: number) => number {
  const span = Math.log(to / from);
  return (value) => start + ((end - start) * Math.log(value / from)) / span;
}

function axes(
  sizes: readonly number[],
  most: number,
  x: (n: number) => number,
  y: (n: number) => number,
): string {
  const ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000].filter((tick) => tick <= most * 1.2);
  const grid = ticks.map(
    (tick) =>
      `<path d="M${PLOT.left} ${round(y(tick))}H${PLOT.right}" stroke="#e4e4e4"/>` +
      text(PLOT.left - 8, y(tick) + 4, String(tick), 12, "end"),
  );
  const marks = sizes.map(
    (n) =>
      `<path d="M${round(x(n))} ${PLOT.bottom}v5" stroke="#555555"/>` +
      text(x(n), PLOT.bottom + 20, String(n), 12, "middle"),
  );
  const middle = (PLOT.left + PLOT.right) / 2;
  return [
    ...grid,
    `<path d="M${PLOT.left} ${PLOT.top}V${PLOT.bottom}H${PLOT.right}" fill="none" stroke="#555555"/>`,
    ...marks,
    text(middle, PLOT.bottom + 42, "stations", 13, "middle"),
  ].join("\n");
}

function curve(
  { points }: Series,
  { colour, mark }: { colour: string; mark: string },
  x: (n: number) => number,
  y: (n: number) => number,
): string {
  const line = points
    .filter(({ theory }) => theory !== null && theory >= 1)
    .map(({ n, theory }, i) => `${i ? "L" : "M"}${round(x(n))} ${round(y(theory as number))}`)
    .join("");
  const marks = points.map(
    ({ n, messages }) =>
      `<path d="${mark}" transform="translate(${round(x(n))} ${round(y(messages))})" fill="${colour}"/>`,
  );
  return [`<path d="${line}" fill="none" stroke="${colour}" stroke-width="1.5"/>`, ...marks].join("\n");
}

/** Names at the right, beside the last mark of each, moved apart where they would touch. */
function labels(series: readonly Series[], y: (n: number) => number): string {
  const placed = series
    .map(({ name, points }, i) => ({ name, i, at: y(points[points.length - 1]?.messages ?? 1) }))
    .sort((a, b) => a.at - b.at);
  placed.forEach((label, k) => {
    const above = placed[k - 1];
    if (above) label.at = Math.max(label.at, above.at + LABEL_GAP);
  });
  // What was pushed below the axis moves all the others up again.
  for (let k = placed.length - 1, limit = PLOT.bottom + 4; k >= 0; k--) {
    const label = placed[k] as (typeof placed)[0];
    label.at = Math.min(label.at, limit);
    limit = label.at - LABEL_GAP;
  }
  return placed
    .map(({ name, i, at }) => {
      const { colour } = STYLES[i % STYLES.length] as (typeof STYLES)[0];
      return text(PLOT.right + 12, at + 4, name, 12, "start", "400", colour);
    })
    .join("\n");
}

function text(
  x: number,
  y: number,
  words: string,
  size: number,
  anchor: string,
  weight = "400",
  colour = "#222222",
): string {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const font = `font-family="${SANS}" font-size="${size}" font-weight="${weight}"`;
  return `<text x="${round(x)}" y="${round(y)}" ${font} fill="${colour}" text-anchor="${anchor}">${escaped}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
