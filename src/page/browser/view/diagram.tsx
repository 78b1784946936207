/** The space-time diagram, on a canvas: pan, zoom, follow, click an arrow. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { arrowAt, countWords, LEFT } from "../../model/diagram.ts";
import * as view from "../state/diagram.ts";
import { now } from "../state/run.ts";
import { colours } from "../state/theme.ts";
import { ArrowDetails } from "./arrow-details.tsx";
import { asSvg, pageColours, paint } from "./paint.ts";
import { save } from "./script-panel.tsx";

export function Diagram() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current as HTMLCanvasElement;
    const watcher = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width && height) view.size.value = { width, height };
    });
    watcher.observe(element);
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        view.pan(event.deltaX || event.deltaY);
      else view.zoom(1.0015 ** event.deltaY, event.offsetX);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      watcher.disconnect();
      element.removeEventListener("wheel", onWheel);
    };
  }, []);
  useSignalEffect(() => {
    colours.value;
    draw(canvas.current);
  });
  const { arrows, crowded, start, end } = view.shown.value;
  const words = crowded
    ? "too many frames to be told apart: zoom in"
    : countWords(arrows) || (view.kind.value === "messages" ? "no message" : "no frame");
  const seconds = (t: number) => (t / 1e6).toFixed(3);
  return (
    <div class="diagram">
      <div class="row tools">
        <div class="pair" role="group" aria-label="What is an arrow">
          {(["messages", "hops"] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={view.kind.value === one}
              onClick={() => (view.kind.value = one)}
            >
              {one === "messages" ? "Messages" : "Hops"}
            </button>
          ))}
        </div>
        <Check name="fold idle time" of={view.folds} />
        <Check name="follow" of={view.followsTime} />
        <button type="button" aria-label="Zoom in" onClick={() => view.zoom(0.6)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => view.zoom(1.7)}>
          −
        </button>
        <button type="button" onClick={view.fit}>
          Whole run
        </button>
        <span class="gap" />
        <button type="button" onClick={saveSvg}>
          SVG
        </button>
        <button type="button" onClick={() => savePng(canvas.current)}>
          PNG
        </button>
      </div>
      <canvas
        ref={canvas}
        tabIndex={0}
        data-keys
        role="img"
        aria-label={`Diagram of stations over time, ${words}. Arrow keys go from arrow to arrow.`}
        onKeyDown={onKey}
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onUp}
      />
      <p class="count">
        <b>{words}</b>, {seconds(start)} to {seconds(end)} s
      </p>
      <ArrowDetails />
    </div>
  );
}

function Check({ name, of }: { name: string; of: typeof view.folds }) {
  return (
    <label>
      <input
        type="checkbox"
        checked={of.value}
        onChange={(event) => {
          of.value = event.currentTarget.checked;
        }}
      />
      {name}
    </label>
  );
}

function draw(canvas: HTMLCanvasElement | null): void {
  const picture = view.picture.value;
  const context = canvas?.getContext("2d");
  if (!canvas || !context || !picture) return;
  const { width, height } = view.size.value;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.scale(ratio, ratio);
  const colour = pageColours();
  context.fillStyle = colour("paper");
  context.fillRect(0, 0, width, height);
  paint(context, picture.shapes, colour);
  context.globalAlpha = 1;
  const chosen = picture.arrows.find(({ arrow }) => arrow.first === view.chosen.value);
  if (chosen) {
    context.strokeStyle = colour("token");
    context.globalAlpha = 0.5;
    context.lineWidth = 9;
    context.beginPath();
    context.moveTo(chosen.x1, chosen.y1);
    context.lineTo(chosen.x2, chosen.y2);
    context.stroke();
    context.globalAlpha = 1;
  }
  const x = picture.x(now.value);
  if (x < LEFT) return;
  context.strokeStyle = colour("frame");
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
}

function onKey(event: KeyboardEvent): void {
  const step =
    event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : event.key.startsWith("Arrow") ? -1 : 0;
  if (!step) return;
  if (event.shiftKey) view.pan(step * 80);
  else view.choose(step);
  event.preventDefault();
}

let drag: { x: number; moved: number } | null = null;

function onDown(event: PointerEvent): void {
  drag = { x: event.clientX, moved: 0 };
  (event.currentTarget as Element).setPointerCapture(event.pointerId);
}

function onMove(event: PointerEvent): void {
  if (!drag) return;
  const by = drag.x - event.clientX;
  drag.x = event.clientX;
  drag.moved += Math.abs(by);
  if (drag.moved > 4) view.pan(by);
}

function onUp(event: PointerEvent): void {
  const moved = drag?.moved ?? 0;
  drag = null;
  const picture = view.picture.value;
  if (moved > 4 || !picture) return;
  const hit = arrowAt(picture.arrows, event.offsetX, event.offsetY);
  view.chosen.value = hit?.arrow.first ?? -1;
  // Where there is no arrow, time goes there.
  if (!hit && event.offsetX > LEFT) view.goTo(view.momentAt(event.offsetX));
}

function saveSvg(): void {
  const picture = view.picture.value;
  const { width, height } = view.size.value;
  if (picture) save("ring.svg", new Blob([asSvg(picture.shapes, width, height)], { type: "image/svg+xml" }));
}

function savePng(canvas: HTMLCanvasElement | null): void {
  canvas?.toBlob((blob) => blob && save("ring.png", blob));
}
