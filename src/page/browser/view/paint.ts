/** Paints the shapes of a diagram on a canvas, in the page's colours. */

import type { Look, Shape } from "../../../log/picture/scene.ts";
import { svgText } from "../../../log/picture/svg-text.ts";

/** The page's colour of each look. */
const COLOURS: { readonly [look in Look]: string } = {
  paper: "--ground",
  grid: "--line",
  station: "--wire",
  around: "--fold",
  missing: "--fold",
  token: "--token-line",
  frame: "--mutex",
  election: "--election",
  lost: "--trouble",
  cross: "--trouble",
  inside: "--inside",
  duty: "--election",
  dead: "--trouble",
  out: "--muted",
  stopped: "--muted",
  trouble: "--trouble",
  event: "--ink",
  title: "--ink",
  words: "--muted",
  name: "--ink",
  tick: "--muted",
  label: "--ink",
  "trouble-label": "--trouble",
};

const FAMILY = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", Roboto, sans-serif';
const SIZES: { [look in Look]?: string } = {
  name: "650 16px",
  label: "500 12px",
  "trouble-label": "600 12px",
};

export type Paint = (look: Look) => string;

/** @returns the colours as they are now, light or dark */
export function pageColours(): Paint {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (look) => {
    const name = COLOURS[look];
    const found = known.get(name) ?? style.getPropertyValue(name).trim();
    known.set(name, found);
    return found;
  };
}

export function paint(context: CanvasRenderingContext2D, shapes: readonly Shape[], colour: Paint): void {
  context.lineCap = "round";
  for (const shape of shapes) {
    context.fillStyle = colour(shape.look);
    context.strokeStyle = colour(shape.look);
    context.globalAlpha = shape.look === "out" || shape.look === "stopped" ? 0.7 : 1;
    switch (shape.kind) {
      case "rect":
        context.fillRect(shape.x, shape.y, shape.width, shape.height);
        break;
      case "line":
        paintLine(context, shape);
        break;
      case "dot":
        context.beginPath();
        context.arc(shape.x, shape.y, 4.5, 0, 7);
        context.fill();
        break;
      case "text":
        paintText(context, shape, colour("paper"));
        break;
    }
  }
}

function paintLine(
  context: CanvasRenderingContext2D,
  { look, x1, y1, x2, y2, arrow }: Shape & { kind: "line" },
): void {
  context.lineWidth = look === "grid" ? 1 : look === "cross" ? 2.5 : look === "station" ? 1.5 : 1.8;
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
  if (!arrow) return;
  const angle = Math.atan2(y2 - y1, x2 - x1);
  context.beginPath();
  context.moveTo(x2, y2);
  for (const side of [-0.38, 0.38])
    context.lineTo(x2 - 9 * Math.cos(angle + side), y2 - 9 * Math.sin(angle + side));
  context.fill();
}

function paintText(context: CanvasRenderingContext2D, shape: Shape & { kind: "text" }, paper: string): void {
  context.font = `${SIZES[shape.look] ?? "12px"} ${FAMILY}`;
  context.textAlign = shape.anchor === "middle" ? "center" : shape.anchor === "end" ? "right" : "left";
  if (shape.look === "label" || shape.look === "trouble-label") {
    context.lineWidth = 4;
    context.strokeStyle = paper;
    context.lineJoin = "round";
    context.strokeText(shape.text, shape.x, shape.y);
  }
  context.fillText(shape.text, shape.x, shape.y);
}

/** @returns the shapes as an SVG file, in the colours of paper */
export function asSvg(shapes: readonly Shape[], width: number, height: number): string {
  const paper: Shape = { kind: "rect", look: "paper", x: 0, y: 0, width, height };
  return [...svgText({ width, height, shapes: [paper, ...shapes] })].join("");
}
