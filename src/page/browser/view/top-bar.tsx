/** What is shown, and what else could be. */
import { useRef } from "preact/hooks";
import { carried } from "../state/carried.ts";
import { branch, branches, current, goTo, header, logName, openLog, source } from "../state/run.ts";
import { dialog } from "../state/selection.ts";
import { openStory } from "../state/start.ts";
import { nextTheme, theme } from "../state/theme.ts";
import { copyLink } from "./script-panel.tsx";

export function TopBar() {
  const file = useRef<HTMLInputElement>(null);
  const known = header.value;
  const names = Object.keys(carried.stories);
  return (
    <header class="top">
      <h1>
        <Mark />
        ringlab
      </h1>
      <p class="what">
        {known ? whatOf(known) : "reading"}
        {branches.value.length > 1 && (
          <span class="branch-pick" role="group" aria-label="Branch of the run">
            {branches.value.map((one, i) => (
              <button key={one.name} type="button" aria-pressed={i === current.value} onClick={() => goTo(i)}>
                {one.name}
              </button>
            ))}
          </span>
        )}
      </p>
      <nav aria-label="What to show">
        <button type="button" onClick={() => (dialog.value = "set-up")}>
          Set up
        </button>
        {names.length > 0 && (
          <select
            aria-label="Tell a story"
            value=""
            onChange={(event) => {
              openStory(event.currentTarget.value);
              event.currentTarget.value = "";
            }}
          >
            <option value="">Stories</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name.replaceAll("-", " ")}
              </option>
            ))}
          </select>
        )}
        <button type="button" onClick={() => file.current?.click()}>
          Open log
        </button>
        <input
          ref={file}
          type="file"
          hidden
          accept=".ndjson"
          aria-label="A log of a run"
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            if (chosen) openLog(chosen.name, chosen);
          }}
        />
        {branch.value && source.value === "simulation" && (
          <button type="button" class="wide" onClick={copyLink}>
            Copy link
          </button>
        )}
        <button
          type="button"
          aria-label={`Colours: ${theme.value}`}
          title={`colours: ${theme.value}`}
          onClick={nextTheme}
        >
          ◐
        </button>
        <button
          type="button"
          aria-label="Help"
          title="keys and signs (?)"
          onClick={() => (dialog.value = "help")}
        >
          ?
        </button>
      </nav>
    </header>
  );
}

function whatOf(known: NonNullable<typeof header.value>): string {
  const ring = `${known.stations.length} stations, ${known.wiring}, ${known.baud} baud${known.election ? `, ${known.election}` : ""}`;
  const plan = known.plan as { plan?: { mutex?: string } } | undefined;
  const mutex = plan?.plan?.mutex;
  const words = typeof mutex === "string" ? `${ring}, ${mutex}` : ring;
  if (source.value === "log") return `${logName.value}: ${words}`;
  return source.value === "live" ? `live: ${words}` : words;
}

function Mark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle class="ring-line" cx="12" cy="12" r="8.5" />
      <circle class="ring-token" cx="12" cy="3.5" r="3.5" />
    </svg>
  );
}
