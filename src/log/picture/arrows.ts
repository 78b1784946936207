/** Frames and messages as arrows. */
import { electionFrames } from "../../protocols/frames.ts";
import { formatRecord, formatTime } from "../format.ts";
import type { FrameRecord } from "../records.ts";
import type { Page } from "./draw.ts";
import type { Gathered } from "./gather.ts";
import { LABEL_CHAR, type LabelPlaces } from "./labels.ts";
import type { Look, Shape } from "./scene.ts";
import type { TimeAxis } from "./time-axis.ts";

const ELECTION_MESSAGES = new Set(["ELECTION", "OK", "COORDINATOR", "ELECTED"]);

export function lookOfFrame(type: string): Look {
  return type === "TOK" ? "token" : electionFrames().includes(type) ? "election" : "frame";
}

export function lookOfMessage(name: string): Look {
  return ELECTION_MESSAGES.has(name) ? "election" : "frame";
}

export function arrowShapes(run: Gathered, axis: TimeAxis, page: Page, places: LabelPlaces): Shape[] {
  for (const y of page.rows.values()) places.take(page.left, y - 9, page.right, y + 5);
  const shapes: Shape[] = [];
  const labels: Shape[] = [];
  const y = (station: number) => page.rows.get(station) as number;
  if (run.frames.length === 0) {
    for (const { t, from, to, name } of run.messages) {
      const x = axis.x(t);
      const about = `${formatTime(t)} ${from} sends ${name} to ${to}`;
      shapes.push({ kind: "line", look: lookOfMessage(name), x1: x, y1: y(from), x2: x, y2: y(to), about });
    }
  }
  for (const record of [...run.frames, ...run.lost]) {
    const { t, took, from, to, type } = record;
    const arrived = record.event === "hop";
    const [x1, y1, y2] = [axis.x(t - took), y(from), y(to)];
    const x2 = axis.x(t);
    const about = aboutFrame(record);
    const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
    if (arrived) {
      shapes.push({ kind: "line", look: lookOfFrame(type), x1, y1, x2, y2, arrow: true, about });
    } else {
      // Cut half way.
      shapes.push({ kind: "line", look: "lost", x1, y1, x2: mx, y2: my, about });
      shapes.push({ kind: "line", look: "cross", x1: mx - 4, y1: my - 4, x2: mx + 4, y2: my + 4, about });
      shapes.push({ kind: "line", look: "cross", x1: mx - 4, y1: my + 4, x2: mx + 4, y2: my - 4, about });
    }
    if (type === "TOK" && arrived) continue;
    const tries = [0.5, 0.3].map((part) => y1 + (y2 - y1) * part + 3);
    const place = places.place(type, mx + (arrived ? 0 : 3), tries, [page.left, page.right]);
    if (place && place.x > mx - 2 && place.x < mx + 2 * LABEL_CHAR) {
      labels.push({ kind: "text", look: arrived ? "label" : "trouble-label", ...place, text: type });
    }
  }
  return [...shapes, ...labels];
}

function aboutFrame(record: FrameRecord): string {
  const { time, who, what } = formatRecord(record);
  return `${time} ${who} ${what}`;
}
