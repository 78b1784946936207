/** What was done to the ring, as a script that can be copied, saved, changed and run again; and the branches of the run. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { UsageError } from "../../../errors.ts";
import { addressOf, readScriptText, scriptText, timeText } from "../../model/set-up.ts";
import { branch, branches, current, goTo, notice, open, source, story } from "../state/run.ts";
import type { RunEnd } from "../state/run-end.ts";

export function ScriptPanel() {
  const text = useSignal("");
  useSignalEffect(() => {
    text.value = branch.value ? scriptText(branch.value.setUp) : "";
  });
  if (source.value !== "simulation" || !branch.value) {
    return <p class="empty">There is a script only where the ring is simulated in the page.</p>;
  }
  const dirty = text.value !== scriptText(branch.value.setUp);
  const run = () => {
    try {
      open(readScriptText(text.value));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      notice.value = error.message;
    }
  };
  return (
    <section class="script" aria-label="Script">
      <textarea
        aria-label="The script of this run"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <div class="row">
        <button type="button" class="main" disabled={!dirty} onClick={run}>
          Run this
        </button>
        <button type="button" onClick={() => void copy(text.value, "the script")}>
          Copy
        </button>
        <button type="button" onClick={() => save("ring.txt", text.value)}>
          Save
        </button>
        <button type="button" onClick={copyLink}>
          Copy link
        </button>
      </div>
      <p class="note">
        The same on the command line: <code>ringlab run --script ring.txt</code>
      </p>
      <Branches />
    </section>
  );
}

export function copyLink(): void {
  const shown = branch.value;
  if (!shown) return;
  const address = `${location.href.split("#")[0]}#${addressOf(shown.setUp, story.value?.name)}`;
  void copy(address, "a link that repeats this run exactly");
}

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice.value = `copied ${what}`;
  } catch {
    notice.value = "the browser does not let the page copy: select the text and copy it";
  }
}

export function save(name: string, text: string | Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(typeof text === "string" ? new Blob([text], { type: "text/plain" }) : text);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const ROWS: [name: string, of: (end: RunEnd) => string][] = [
  ["until", ({ until }) => `${(until / 1e6).toFixed(1)} s`],
  ["coordinator", ({ coordinator }) => (coordinator < 0 ? "none" : String(coordinator))],
  ["epoch", ({ epoch }) => String(epoch)],
  ["entries", ({ entries }) => String(entries)],
  ["messages", ({ messages }) => String(messages)],
  ["tokens lost", ({ tokensLost }) => String(tokensLost)],
  ["claims", ({ violation }) => (violation ? "broken" : "hold")],
];

function Branches() {
  const all = branches.value;
  if (all.length < 2) {
    return (
      <p class="note">
        Go back in time and do something else: the run forks there, and both branches are kept.
      </p>
    );
  }
  return (
    <div class="branches" tabIndex={0} role="group" aria-label="Branches">
      <table>
        <thead>
          <tr>
            <th scope="col">ends with</th>
            {all.map((one, i) => (
              <th key={one.name} scope="col">
                <button type="button" aria-pressed={i === current.value} onClick={() => goTo(i)}>
                  {one.name}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">forked</th>
            {all.map(({ name, fork }) => (
              <td key={name}>{fork ? `${timeText(fork.at)} ${fork.what}` : "-"}</td>
            ))}
          </tr>
          {ROWS.map(([name, of]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {all.map(({ name: branchName, end }) => (
                <td key={branchName}>{end ? of(end) : "..."}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
