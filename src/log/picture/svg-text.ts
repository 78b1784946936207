/** A scene as the text of an SVG file. */
import { escapeControls } from "../../errors.ts";
import type { Look, Scene, Shape } from "./scene.ts";

/** Colours and widths of each look, for SVG. */
export const STYLE: { readonly [look in Look]: string } = {
  paper: "fill:#fff",
  grid: "stroke:#e6e8ec;stroke-width:1",
  station: "stroke:#9aa3af;stroke-width:1.5",
  around: "fill:#eaf2fc",
  missing: "fill:url(#missing)",
  token: "stroke:#1f6fd0;stroke-width:2",
  frame: "stroke:#6b7280;stroke-width:1.2",
  election: "stroke:#8a3fb5;stroke-width:1.4",
  lost: "stroke:#c92a2a;stroke-width:1.4",
  cross: "stroke:#c92a2a;stroke-width:2",
  inside: "fill:#2a9d4a;stroke:#1c6b32",
  duty: "fill:#f0b429",
  dead: "fill:#c92a2a;opacity:.75",
  out: "fill:#e8a5a5",
  stopped: "fill:#e07b39;opacity:.8",
  trouble: "fill:#c92a2a;stroke:#fff;stroke-width:1",
  event: "fill:#374151;stroke:#fff;stroke-width:1",
  title: "font-size:18px;font-weight:600;fill:#111827",
  words: "font-size:12px;fill:#4b5563",
  name: "font-size:12px;fill:#111827",
  tick: "font-size:11px;fill:#6b7280",
  label: "font-size:11px;fill:#374151",
  "trouble-label": "font-size:11px;fill:#b02020",
};

/** Labels stand on lines and bars: a white rim keeps them readable. */
const RIM = "paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round";

const ARROWS: readonly Look[] = ["token", "frame", "election"];

export function* svgText(scene: Scene): Generator<string, void, void> {
  const { width, height, shapes } = scene;
  yield `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n`;
  yield `<style>\ntext{font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif}\nline,path{fill:none}\n.label,.trouble-label{${RIM}}\n`;
  for (const [look, css] of Object.entries(STYLE)) yield `.${look}{${css}}\n`;
  yield "</style>\n<defs>\n";
  for (const look of ARROWS) {
    const color = /stroke:(#\w+)/.exec(STYLE[look])?.[1] ?? "#000";
    yield `<marker id="tip-${look}" viewBox="0 0 8 8" refX="8" refY="4" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" orient="auto"><path d="M0,0 L8,4 L0,8 z" style="fill:${color}"/></marker>\n`;
  }
  yield '<pattern id="missing" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" fill="#fdeaea"/><line x1="0" y1="0" x2="0" y2="8" style="stroke:#f3b6b6;stroke-width:3"/></pattern>\n';
  yield "</defs>\n";
  for (const shape of shapes) yield `${element(shape)}\n`;
  yield "</svg>\n";
}

function element(shape: Shape): string {
  switch (shape.kind) {
    case "rect": {
      const { x, y, width, height } = shape;
      return tag("rect", shape.look, { x, y, width, height }, shape.about);
    }
    case "line": {
      const { x1, y1, x2, y2, arrow } = shape;
      const tip = arrow && ARROWS.includes(shape.look) ? { "marker-end": `url(#tip-${shape.look})` } : {};
      return tag("line", shape.look, { x1, y1, x2, y2, ...tip }, shape.about);
    }
    case "path":
      return tag("path", shape.look, { d: `M${shape.points.map(fixed).join(" ")}` }, shape.about);
    case "dot":
      return tag("circle", shape.look, { cx: shape.x, cy: shape.y, r: 4 }, shape.about);
    case "text": {
      const { x, y, anchor } = shape;
      const place = anchor === undefined || anchor === "start" ? {} : { "text-anchor": anchor };
      return tag("text", shape.look, { x, y, ...place }, undefined, shape.text);
    }
  }
}

function tag(
  name: string,
  look: Look,
  attributes: { [name: string]: number | string },
  about?: string,
  text = "",
): string {
  const list = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === "number" ? fixed(value) : xml(value)}"`,
  );
  const inner = about === undefined ? xml(text) : `<title>${xml(about)}</title>`;
  const start = `<${name} class="${look}"${list.join("")}`;
  return inner === "" ? `${start}/>` : `${start}>${inner}</${name}>`;
}

function fixed(n: number): number {
  return Math.round(n * 10) / 10;
}

// What XML 1.0 does not allow in a document at all, and halves of surrogate pairs.
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function xml(text: string): string {
  return escapeControls(text)
    .replace(NOT_XML, "\ufffd")
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
