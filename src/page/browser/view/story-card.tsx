/** A story, told where it happens. */
import { stepAt } from "../../model/story.ts";
import { seek, stepwise } from "../state/player.ts";
import { now, playing, story } from "../state/run.ts";

export function StoryCard() {
  const told = story.value;
  if (!told) return null;
  const at = Math.max(0, stepAt(told, now.value));
  const step = told.steps[at];
  const next = told.steps[at + 1];
  const on = () => {
    playing.value = true;
  };
  const back = () => {
    playing.value = false;
    seek(told.steps[Math.max(0, at - 1)]?.from ?? 0);
  };
  return (
    <aside class="story" aria-label={`Story: ${told.title}`}>
      <h2>
        {told.title}
        <small>
          {at + 1} of {told.steps.length}
        </small>
      </h2>
      <p aria-live="polite">{step?.text}</p>
      <div class="row">
        <button type="button" onClick={back} disabled={at === 0}>
          Back
        </button>
        <button type="button" class="main" onClick={on} disabled={playing.value}>
          {next ? "Next" : "To the end"}
        </button>
        <label>
          <input
            type="checkbox"
            checked={stepwise.value}
            onChange={(event) => {
              stepwise.value = event.currentTarget.checked;
            }}
          />
          stop at each step
        </label>
        <button
          type="button"
          class="quiet"
          aria-label="Leave the story; its ring stays"
          onClick={() => {
            story.value = null;
          }}
        >
          ×
        </button>
      </div>
    </aside>
  );
}
