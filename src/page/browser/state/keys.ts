/** Everything that can be done by keyboard alone. */
import { doTo } from "../view/action-bar.tsx";
import { faster, seek, stepBy, toggle } from "./player.ts";
import { act, header, ring, store } from "./run.ts";
import { dialog, type Stage, selected, stage } from "./selection.ts";

const STAGES: { [key: string]: Stage } = { 1: "ring", 2: "messages", 3: "figures" };

function choose(step: 1 | -1): void {
  const ids = header.value?.stations ?? [];
  if (ids.length === 0) return;
  const at = ids.indexOf(selected.value);
  const next = at < 0 ? 0 : (at + step + ids.length) % ids.length;
  selected.value = ids[next] as number;
}

/** Splits the ring behind the chosen station, or makes one of it again. */
function partition(): void {
  const ids = header.value?.stations ?? [];
  if (ring.value?.groups) {
    act("heal");
    return;
  }
  const at = ids.indexOf(selected.value);
  const half = at < 0 || at === ids.length - 1 ? Math.ceil(ids.length / 2) : at + 1;
  if (ids.length > 1) act("partition", `${ids.slice(0, half).join(",")}/${ids.slice(half).join(",")}`);
}

const KEYS: { [key: string]: (event: KeyboardEvent) => void } = {
  " ": toggle,
  ArrowRight: (event) => stepBy(1, event.shiftKey),
  ArrowLeft: (event) => stepBy(-1, event.shiftKey),
  "+": () => faster(1),
  "=": () => faster(1),
  "-": () => faster(-1),
  Home: () => seek(0),
  End: () => seek(store.value?.end ?? 0),
  "[": () => choose(-1),
  "]": () => choose(1),
  p: partition,
  s: () => {
    dialog.value = "set-up";
  },
  "?": () => {
    dialog.value = "help";
  },
};

/** Where these have the focus, keys are theirs. */
const TYPED = "input:not([type=checkbox]):not([type=range]), textarea, select, dialog *";

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.value) return;
    const target = event.target as Element;
    if (target.closest?.(TYPED)) return;
    const onButton = target.closest?.("button, [role=button], a") !== null;
    const isSlider = target.closest?.("input[type=range], [data-keys]") !== null;
    if (isSlider && (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End")) return;
    // A button takes the space bar itself; a station of the ring is chosen by it.
    if (onButton && (event.key === " " || event.key === "Enter")) {
      if (target.closest("[data-station]")) {
        selected.value = Number(target.closest("[data-station]")?.getAttribute("data-station"));
        event.preventDefault();
      }
      return;
    }
    const shown = STAGES[event.key];
    if (shown) stage.value = shown;
    else if (KEYS[event.key]) KEYS[event.key]?.(event);
    else if (selected.value < 0 || !doTo(selected.value, event.key.toLowerCase())) return;
    event.preventDefault();
  });
}
