/** What happened, in the sentences of the command line; a click on one moves time there. */
import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Fence, formatGuarded } from "../../../log/format.ts";
import { EVENT_CODE, isFrameRecord, type RunRecord } from "../../../log/records.ts";
import { isTold } from "../../model/notable.ts";
import { pause, seek } from "../state/player.ts";
import { now, store, version } from "../state/run.ts";
import { picked, selected } from "../state/selection.ts";

/** So many sentences are in the page at once. */
const SHOWN = 250;

const onlyChosen = signal(false);
const words = signal("");

interface Line {
  i: number;
  t: number;
  record: RunRecord;
  text: string;
  who: string;
}

const until = computed(() => {
  version.value;
  return store.value?.countAt(now.value) ?? 0;
});

const lines = computed<Line[]>(() => {
  version.value;
  const run = store.value;
  if (!run) return [];
  const { columns } = run;
  const wanted = words.value.trim().toLowerCase();
  const one = onlyChosen.value ? selected.value : -1;
  const found: Line[] = [];
  for (let i = until.value - 1; i >= 0 && found.length < SHOWN; i--) {
    if (!isTold(columns, i)) continue;
    if (one >= 0 && columns.station[i] !== one && columns.peer[i] !== one) continue;
    const record = columns.get(i);
    const { who, what } = formatGuarded(record, fenceBefore(i));
    if (wanted && !`${who} ${what}`.toLowerCase().includes(wanted)) continue;
    found.push({ i, t: record.t, record, text: what, who });
  }
  return found;
});

/** The highest fence that the guarded resource had let pass before record `i`, where that record is a write. */
function fenceBefore(i: number): Fence | undefined {
  const columns = store.value?.columns;
  if (!columns || columns.event[i] !== EVENT_CODE.write) return undefined;
  for (let k = columns.value(i, 2) === "refused" ? i - 1 : i; k >= 0; k--) {
    if (columns.event[k] === EVENT_CODE.write && columns.value(k, 2) !== "refused")
      return { epoch: columns.value(k, 0) ?? "?", grant: columns.value(k, 1) ?? "?" };
  }
  return undefined;
}

export function Told() {
  const list = useRef<HTMLOListElement>(null);
  const newest = lines.value[0]?.i;
  useEffect(() => {
    if (list.current) list.current.scrollTop = 0;
  }, [newest]);
  return (
    <section class="told" aria-label="What happened">
      <div class="filter">
        <input
          type="search"
          aria-label="Only sentences with these words"
          placeholder="filter"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
          }}
        />
        <label>
          <input
            type="checkbox"
            checked={onlyChosen.value}
            onChange={(event) => {
              onlyChosen.value = event.currentTarget.checked;
            }}
          />
          {selected.value >= 0 ? `only ${selected.value}` : "only chosen"}
        </label>
      </div>
      <ol ref={list} tabIndex={0} aria-label="Sentences, the latest first">
        {lines.value.map((line) => (
          <Sentence key={line.i} line={line} />
        ))}
        {lines.value.length === 0 && <li class="none">Nothing yet.</li>}
        {store.value?.thinned ? (
          <li class="none">{store.value.thinned} older records are not kept.</li>
        ) : null}
        {lines.value.length === SHOWN && <li class="none">Earlier ones: move time back.</li>}
      </ol>
    </section>
  );
}

function Sentence({ line }: { line: Line }) {
  const { record } = line;
  const refused = !isFrameRecord(record) && record.event === "write" && record.fields.verdict === "refused";
  const go = () => {
    pause();
    picked.value = line.i;
    seek(line.t);
  };
  return (
    <li class={refused ? "trouble" : colourOf(record)}>
      <button type="button" onClick={go}>
        <time>{(line.t / 1e6).toFixed(3)}</time>
        <b>{line.who}</b>
        <span>{line.text}</span>
      </button>
    </li>
  );
}

const TROUBLE = new Set([
  "crash",
  "unplug",
  "bypass",
  "lost",
  "stale",
  "beacon",
  "bad",
  "refused",
  "dropped",
  "corrupted",
]);
const ELECTION = new Set(["elect", "coordinator", "stepdown", "abandoned"]);
const BACK = new Set(["restart", "plug", "insert", "regenerated", "joined", "closed"]);

function colourOf({ event }: RunRecord): string {
  if (event === "enter" || event === "exit") return "inside";
  if (event === "fault") return "fault";
  if (TROUBLE.has(event)) return "trouble";
  if (ELECTION.has(event)) return "election";
  return BACK.has(event) ? "back" : "";
}
