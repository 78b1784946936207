/** Chooses a ring. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { UsageError } from "../../../errors.ts";
import { electionNames, mutexNames } from "../../../protocols/registry.ts";
import { DEFAULT_PLAN } from "../../../simulation/plan.ts";
import { type OptionWords, planOfWords } from "../../model/set-up.ts";
import { branch, open, playing } from "../state/run.ts";
import { dialog } from "../state/selection.ts";

const CHOICES: { [name: string]: { about: string; of?: readonly string[]; hint: string } } = {
  stations: { about: "Stations", hint: "5" },
  ids: { about: "or ids in ring order", hint: "4,2,9" },
  wiring: { about: "Wiring", of: ["hub", "wired"], hint: "hub" },
  baud: { about: "Baud", hint: "115200" },
  election: { about: "Election", of: electionNames(), hint: DEFAULT_PLAN.election },
  mutex: { about: "Mutual exclusion", of: mutexNames(), hint: DEFAULT_PLAN.mutex },
  hold: { about: "An idle station keeps the token", hint: "0ms" },
  critical: { about: "A critical section lasts", hint: "20ms" },
  lease: { about: "Lease", hint: "none" },
  preempt: { about: "A higher id takes over after", hint: "0ms, or never" },
  seed: { about: "Seed", hint: "1" },
  duration: { about: "Run for at least", hint: "10s" },
};

export function SetUpDialog() {
  const box = useRef<HTMLDialogElement>(null);
  const wrong = useSignal("");
  const isOpen = dialog.value === "set-up";
  useEffect(() => {
    if (isOpen) box.current?.showModal();
    else box.current?.close();
    wrong.value = "";
  }, [isOpen, wrong]);
  const before = new Map(branch.value?.setUp.words ?? []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const words: OptionWords = [];
    for (const name of Object.keys(CHOICES)) {
      const value = String(form.get(name) ?? "").trim();
      if (value) words.push([name, value]);
    }
    for (const [name, value] of branch.value?.setUp.words ?? [])
      if (name === "limit") words.push([name, value]);
    try {
      planOfWords(words);
      open({ words, actions: [] });
      playing.value = true;
      dialog.value = "";
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      wrong.value = error.message;
    }
  };
  return (
    <dialog ref={box} aria-labelledby="set-up-title" onClose={() => (dialog.value = "")}>
      <form key={String(isOpen)} onSubmit={submit}>
        <h2 id="set-up-title">A ring</h2>
        <div class="grid">
          {Object.entries(CHOICES).map(([name, { about, of, hint }]) => (
            <label key={name}>
              {about}
              {of ? (
                <select name={name}>
                  {of.map((one) => (
                    <option key={one} value={one} selected={one === (before.get(name) ?? hint)}>
                      {one}
                    </option>
                  ))}
                </select>
              ) : (
                <input
                  name={name}
                  placeholder={hint}
                  defaultValue={before.get(name) ?? ""}
                  spellcheck={false}
                />
              )}
            </label>
          ))}
        </div>
        <p class="wrong" role="alert">
          {wrong.value}
        </p>
        <div class="row">
          <button type="submit" class="main">
            Start
          </button>
          <button type="button" onClick={() => (dialog.value = "")}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
