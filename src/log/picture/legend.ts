/** What the marks of a picture mean: only those that are in it. */
import { lookOfFrame, lookOfMessage } from "./arrows.ts";
import type { Page } from "./draw.ts";
import type { Gathered } from "./gather.ts";
import type { Look, Shape } from "./scene.ts";

const SAMPLE = 22;
const CHAR = 6.6;
const SPACE = 20;

export function legend(run: Gathered, page: Page): Shape[] {
  const y = page.height - 26;
  const shapes: Shape[] = [];
  let x = page.left;
  const entry = (look: Look, form: "rect" | "line" | "cross", text: string) => {
    if (form === "rect") {
      shapes.push({ kind: "rect", look, x, y: y - 10, width: SAMPLE, height: 11 });
    } else if (form === "cross") {
      const [middle, low] = [x + SAMPLE / 2, y - 4];
      for (const d of [4, -4]) {
        shapes.push({ kind: "line", look, x1: middle - 4, y1: low - d, x2: middle + 4, y2: low + d });
      }
    } else {
      shapes.push({
        kind: "line",
        look,
        x1: x,
        y1: y - 4,
        x2: x + SAMPLE,
        y2: y - 4,
        arrow: run.frames.length > 0,
      });
    }
    shapes.push({ kind: "text", look: "words", x: x + SAMPLE + 6, y, text });
    x += SAMPLE + 6 + text.length * CHAR + SPACE;
  };
  const has = (condition: string) => run.spans.some((span) => span.condition === condition);
  if (run.around.length) entry("around", "rect", "token goes round");
  if (run.outages.length) entry("missing", "rect", "no token");
  if (run.frames.some(({ type, event }) => type === "TOK" && event === "hop"))
    entry("token", "line", "token");
  const drawn = run.frames.length
    ? run.frames
        .filter(({ type, event }) => type !== "TOK" && event === "hop")
        .map(({ type }) => lookOfFrame(type))
    : run.messages.map(({ name }) => lookOfMessage(name));
  if (drawn.includes("election")) entry("election", "line", "election");
  if (drawn.includes("frame")) entry("frame", "line", run.frames.length ? "other frame" : "message");
  if (run.lost.length || run.frames.some(({ event }) => event !== "hop"))
    entry("cross", "cross", "lost frame");
  if (has("inside")) entry("inside", "rect", "inside");
  if (has("duty")) entry("duty", "rect", "coordinator");
  if (has("dead")) entry("dead", "rect", "dead");
  if (has("stopped")) entry("stopped", "rect", "stands still");
  if (has("out")) entry("out", "rect", "out of the ring");
  return shapes;
}
