/** The arrow that was clicked: what it says, its frame byte by byte, and what the receiver did with it. */
import { formatRecord } from "../../../log/format.ts";
import { consequences } from "../../model/diagram.ts";
import { frameOf, lineFields } from "../../model/frame-bytes.ts";
import { chosen, chosenArrow, goTo } from "../state/diagram.ts";
import { store } from "../state/run.ts";

export function ArrowDetails() {
  const arrow = chosenArrow.value;
  const columns = store.value?.columns;
  if (!arrow || !columns) return null;
  const { time, who, what } = formatRecord(columns.get(arrow.first));
  const frame = frameOf(columns, arrow);
  const then = arrow.arrived ? consequences(columns, arrow) : [];
  const arrival = arrow.arrived
    ? `arrives at ${arrow.to} after ${((arrow.end - arrow.start) / 1000).toFixed(1)} ms`
    : "never arrives";
  return (
    <aside class="details" aria-label="The arrow" aria-live="polite">
      <p>
        <button type="button" onClick={() => goTo(arrow.start)}>
          {time}
        </button>{" "}
        <b>{who}</b> {what}; {arrival}
        <button type="button" class="quiet" aria-label="Close" onClick={() => (chosen.value = -1)}>
          ×
        </button>
      </p>
      {frame && (
        <div class="bytes" tabIndex={0} role="group" aria-label="The frame, byte by byte">
          {lineFields(frame).map((field, i) => (
            <span key={i} class={field.name ? "" : "between"}>
              <code>{field.text}</code>
              <small>{field.bytes}</small>
              <em>{field.name}</em>
            </span>
          ))}
        </div>
      )}
      {then.length > 0 && (
        <p>
          Then {arrow.to} {then.join("; ")}.
        </p>
      )}
    </aside>
  );
}
