/** A chart; what it shows stands in words beside it. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import type { Series } from "../../model/figures.ts";
import { colours } from "../state/theme.ts";

interface Props {
  title: string;
  words: string;
  series: Series;
  /** Names of the axes, with units. */
  across: string;
  up: string;
  form: "line" | "points" | "bars";
}

const HEIGHT = 170;

export function Chart({ title, words, series, across, up, form }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const make = () => {
    const element = box.current;
    if (!element) return;
    plot.current?.destroy();
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = (label: string): UPlot.Axis => ({
      label,
      labelSize: 20,
      labelFont: "12px system-ui, sans-serif",
      font: "12px system-ui, sans-serif",
      size: 36,
      stroke: colour("--muted"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line"), width: 1 },
    });
    const paths = form === "bars" ? UPlot.paths.bars?.({ size: [0.9, 40] }) : undefined;
    plot.current = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.08)] } },
        axes: [axis(across), { ...axis(up), size: 48 }],
        series: [
          {},
          {
            stroke: colour("--accent"),
            width: form === "points" ? 0 : 1.5,
            ...(form === "bars" && { fill: colour("--accent") }),
            ...(paths && { paths }),
            points: { show: form === "points", size: 7, fill: colour("--accent") },
          },
        ],
      },
      [series.x, series.y],
      element,
    );
  };
  useEffect(() => {
    make();
    const watcher = new ResizeObserver(([entry]) => {
      if (entry && plot.current) plot.current.setSize({ width: entry.contentRect.width, height: HEIGHT });
    });
    watcher.observe(box.current as HTMLDivElement);
    return () => {
      watcher.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [series]);
  useSignalEffect(() => {
    colours.value;
    if (plot.current) make();
  });
  return (
    <figure>
      <figcaption>
        <b>{title}</b> {words}
      </figcaption>
      <div ref={box} role="img" aria-label={`${title}: ${words}`} />
    </figure>
  );
}
