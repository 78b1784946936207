/** One station of the ring: its shape, colour and words say what it is; it can be clicked and reached by keyboard. */
import type { StationMoment } from "../../model/moment.ts";
import type { Point } from "../../model/ring-geometry.ts";
import type { StationKind } from "../../model/station-words.ts";

interface Props {
  station: StationMoment;
  kind: StationKind;
  words: string[];
  sentence: string;
  place: Point;
  radius: number;
  label: (Point & { anchor: "start" | "middle" | "end" }) | null;
  chosen: boolean;
  onPick: () => void;
}

export function StationMark({ station, kind, words, sentence, place, radius, label, chosen, onPick }: Props) {
  const { x, y } = place;
  const small = radius < 14;
  // Round while outside, nearly square while inside: not by colour alone.
  const corner = kind === "inside" ? radius * 0.3 : radius;
  const r = radius - (small ? 1 : 3);
  const cross = r * 0.62;
  const rim = small ? 3 : 8;
  return (
    <g
      class={`station ${kind}${station.token ? " holds" : ""}${station.duty && kind !== "dead" ? " duty" : ""}${station.inserted ? "" : " out"}${chosen ? " chosen" : ""}`}
      data-station={station.id}
      role="button"
      tabIndex={0}
      aria-label={sentence}
      aria-pressed={chosen}
      onClick={onPick}
      onFocus={onPick}
      transform={`translate(${x} ${y})`}
    >
      <circle class="focus" r={radius + (small ? 3 : 8)} />
      {station.token && (
        <rect
          class="halo"
          x={-r - rim}
          y={-r - rim}
          width={2 * (r + rim)}
          height={2 * (r + rim)}
          rx={Math.min(corner, r) + rim}
        />
      )}
      <rect class="body" x={-r} y={-r} width={2 * r} height={2 * r} rx={Math.min(corner, r)} />
      {station.duty && kind !== "dead" && !small && <circle class="crown-ring" r={r - 5} />}
      {radius >= 9 && (
        <text class="id" dy="0.36em" font-size={radius * (String(station.id).length > 2 ? 0.66 : 0.9)}>
          {station.id}
        </text>
      )}{" "}
      {radius < 9 && label && (
        <text class="far-id" x={label.x - x} y={label.y - y}>
          {station.id}
        </text>
      )}
      {label && radius >= 12 && words.length > 0 && (
        <text class="words" x={label.x - x} y={label.y - y} text-anchor={label.anchor}>
          {words.slice(0, 2).join(" · ")}
        </text>
      )}
      {kind === "dead" && (
        <path
          class="cross"
          d={`M${-cross},${-cross}L${cross},${cross}M${cross},${-cross}L${-cross},${cross}`}
        />
      )}
      {kind === "still" && !small && <Badge at={{ x: r * 0.75, y: -r * 0.75 }} name="still" text="‖" />}
      {station.duty && kind !== "dead" && !small && (
        <Badge at={{ x: r * 0.75, y: -r * 0.75 }} name="duty" text="★" />
      )}
      {kind === "asking" && !small && <Badge at={{ x: -r * 0.75, y: -r * 0.75 }} name="asks" text="?" />}
    </g>
  );
}

function Badge({ at, name, text }: { at: Point; name: string; text: string }) {
  return (
    <g class={`badge ${name}`} transform={`translate(${at.x} ${at.y})`}>
      <circle r={11} />
      <text dy="0.36em">{text}</text>
    </g>
  );
}
