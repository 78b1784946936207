/** Time: play and pause, one event on or back, speed, a slider through the whole run. */
import { formatTime } from "../../../log/format.ts";
import { connection, following } from "../state/live.ts";
import { faster, follow, pause, quick, SPEEDS, seek, speed, stepBy, toggle } from "../state/player.ts";
import { branch, now, playing, source, store, version } from "../state/run.ts";
import { Marks } from "./time-marks.tsx";

const LIVE_WORDS = {
  "": "",
  waiting: "waiting",
  live: "Live",
  lost: "lost, trying again",
  over: "run is over",
};

export function Transport() {
  version.value;
  const end = store.value?.end ?? 0;
  const at = now.value;
  const fork = branch.value?.fork;
  return (
    <footer class="transport">
      <div class="buttons">
        <button
          type="button"
          aria-label="One event back"
          title="one event back (←)"
          onClick={() => stepBy(-1, false)}
        >
          <Icon d="M14 5 L7 12 L14 19 M18 5 V19" flip />
        </button>
        <button
          type="button"
          class="play"
          aria-label={playing.value ? "Pause" : "Play"}
          title="play or pause (space)"
          onClick={toggle}
        >
          <Icon d={playing.value ? "M8 5 V19 M16 5 V19" : "M8 5 L19 12 L8 19 Z"} solid={!playing.value} />
        </button>
        <button
          type="button"
          aria-label="One event on"
          title="one event on (→)"
          onClick={() => stepBy(1, false)}
        >
          <Icon d="M10 5 L17 12 L10 19 M6 5 V19" flip />
        </button>
      </div>
      <output class="clock" aria-label="Moment shown">
        {formatTime(Math.floor(at)).slice(0, -3)}
        <small> s</small>
      </output>
      <div class="slider">
        <Marks />
        {fork && end > 0 && (
          <span class="fork" style={{ left: `${(100 * fork.at) / end}%` }} title={`forked: ${fork.what}`} />
        )}
        <input
          type="range"
          aria-label="Moment of the run"
          aria-valuetext={`${(at / 1e6).toFixed(3)} seconds`}
          min={0}
          max={Math.max(1, end)}
          step="any"
          value={at}
          onInput={(event) => {
            pause();
            seek(Number(event.currentTarget.value));
          }}
        />
      </div>
      <output class="end">{formatTime(Math.floor(end)).slice(0, -5)} s</output>
      {source.value === "live" && (
        <button type="button" class="live" aria-pressed={following.value} onClick={follow}>
          {LIVE_WORDS[connection.value]}
        </button>
      )}
      {(source.value !== "live" || !following.value) && (
        <div class="speed">
          <button type="button" aria-label="Slower" title="slower (−)" onClick={() => faster(-1)}>
            −
          </button>
          <select
            aria-label="Ring seconds per second"
            value={String(speed.value)}
            onChange={(event) => {
              speed.value = Number(event.currentTarget.value);
            }}
          >
            {SPEEDS.map((one) => (
              <option key={one} value={String(one)}>
                {one}×
              </option>
            ))}
          </select>
          <button type="button" aria-label="Faster" title="faster (+)" onClick={() => faster(1)}>
            +
          </button>
          <label title="time goes faster where only the token goes round">
            <input
              type="checkbox"
              checked={quick.value}
              onChange={(event) => {
                quick.value = event.currentTarget.checked;
              }}
            />
            skip quiet
          </label>
        </div>
      )}
    </footer>
  );
}

function Icon({ d, solid = false, flip: _ = false }: { d: string; solid?: boolean; flip?: boolean }) {
  return (
    <svg class={solid ? "icon solid" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}
