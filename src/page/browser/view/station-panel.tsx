/** What a station knows at the moment shown, and what has changed; two stations beside each other. */
import { useEffect } from "preact/hooks";
import type { StationMoment } from "../../model/moment.ts";
import { type Fact, factsOf } from "../../model/station-facts.ts";
import { look, now, playing, ring, source, states } from "../state/run.ts";
import { beside, selected } from "../state/selection.ts";

/** Looks at the stations not more often than this, ms. */
const LOOK_MS = 200;

let looked = 0;

export function StationPanel() {
  const at = ring.value;
  const all = at?.stations ?? [];
  const chosen = all.find((s) => s.id === selected.value) ?? all[0];
  const other = all.find((s) => s.id === beside.value);
  const t = Math.floor(now.value);
  useEffect(() => {
    if (source.value !== "simulation") return;
    const wait = Math.max(0, LOOK_MS - (performance.now() - looked));
    const timer = setTimeout(
      () => {
        looked = performance.now();
        look();
      },
      playing.value ? wait : 0,
    );
    return () => clearTimeout(timer);
  }, [playing.value ? Math.floor(t / 50_000) : t, source.value]);
  if (!chosen) return <section class="station-panel" />;
  return (
    <section class="station-panel" aria-label="What a station knows">
      <div class="pickers">
        <Picker name="Station" value={chosen.id} all={all} onPick={(id) => (selected.value = id)} />
        <Picker name="beside" value={other?.id ?? -1} all={all} none onPick={(id) => (beside.value = id)} />
      </div>
      <div class="columns" tabIndex={0} role="group" aria-label="Facts">
        <Facts station={chosen} />
        {other && <Facts station={other} />}
      </div>
    </section>
  );
}

interface PickerProps {
  name: string;
  value: number;
  all: StationMoment[];
  none?: boolean;
  onPick: (id: number) => void;
}

function Picker({ name, value, all, none = false, onPick }: PickerProps) {
  return (
    <label>
      {name}{" "}
      <select value={String(value)} onChange={(event) => onPick(Number(event.currentTarget.value))}>
        {none && <option value="-1">none</option>}
        {all.map((s) => (
          <option key={s.id} value={String(s.id)}>
            {s.id}
          </option>
        ))}
      </select>
    </label>
  );
}

const before = new Map<string, { text: string; changedAt: number }>();

/** Marks what is not as it was in the moment shown before. */
function changed(station: number, { name, text }: Fact): boolean {
  const key = `${station} ${name}`;
  const known = before.get(key);
  const at = states.value?.at ?? now.value;
  if (!known || known.text !== text) {
    before.set(key, { text, changedAt: known ? at : Number.NaN });
    return known !== undefined;
  }
  return known.changedAt === at;
}

function Facts({ station }: { station: StationMoment }) {
  const position = ring.value?.stations.findIndex((s) => s.id === station.id) ?? -1;
  const state = source.value === "simulation" ? states.value?.states[position] : undefined;
  return (
    <dl>
      {factsOf(station, state).map((fact) => (
        <div key={fact.name} class={changed(station.id, fact) ? "fact changed" : "fact"}>
          <dt>{fact.name}</dt>
          <dd>{fact.text}</dd>
        </div>
      ))}
    </dl>
  );
}
