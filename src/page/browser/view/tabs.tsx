/** Tabs, as WAI-ARIA describes them: arrows move among them. */
import type { Signal } from "@preact/signals";

interface Props<T extends string> {
  name: string;
  of: [T, string][];
  chosen: Signal<T>;
}

export function Tabs<T extends string>({ name, of, chosen }: Props<T>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = of.findIndex(([key]) => key === chosen.value);
    const [next] = of[(at + step + of.length) % of.length] as [T, string];
    chosen.value = next;
    const row = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => row.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="tabs" role="tablist" aria-label={name} tabIndex={-1} onKeyDown={onKeyDown}>
      {of.map(([key, text]) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={chosen.value === key}
          tabIndex={chosen.value === key ? 0 : -1}
          onClick={() => {
            chosen.value = key;
          }}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
