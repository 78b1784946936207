/** What happened when, as marks along the slider: trouble, elections, entries. */
import { computed } from "@preact/signals";
import { EVENT_CODE } from "../../../log/records.ts";
import { store, version } from "../state/run.ts";

const BINS = 240;

const KINDS: { [code: number]: string } = {
  [EVENT_CODE.crash]: "trouble",
  [EVENT_CODE.lost]: "trouble",
  [EVENT_CODE.bypass]: "trouble",
  [EVENT_CODE.dropped]: "trouble",
  [EVENT_CODE.fault]: "trouble",
  [EVENT_CODE.coordinator]: "election",
  [EVENT_CODE.elect]: "election",
  [EVENT_CODE.enter]: "inside",
};

const marks = computed(() => {
  version.value;
  const run = store.value;
  if (!run || run.end <= 0) return [];
  const { columns } = run;
  const found = new Set<string>();
  for (let i = 0; i < columns.length; i++) {
    const kind = KINDS[columns.event[i] as number];
    if (kind) found.add(`${kind} ${Math.min(BINS, Math.floor((BINS * (columns.t[i] as number)) / run.end))}`);
  }
  return [...found].map((one) => {
    const [kind = "", bin = "0"] = one.split(" ");
    return { kind, part: Number(bin) / BINS };
  });
});

export function Marks() {
  return (
    <svg class="marks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {marks.value.map(({ kind, part }) => (
        <rect
          key={`${kind}${part}`}
          class={kind}
          x={part * 1000 - 1.5}
          y={kind === "trouble" ? 0 : kind === "election" ? 3.5 : 7}
          width={3}
          height={3}
        />
      ))}
    </svg>
  );
}
