/** What can be done to the chosen station, and to the ring. */
import { useSignal } from "@preact/signals";
import { DOWN, STILL } from "../../../check/ring-view.ts";
import { doers } from "../state/live.ts";
import { act, header, ring, source } from "../state/run.ts";
import { selected } from "../state/selection.ts";

interface Deed {
  name: string;
  verb: string;
  args?: string[];
  key: string;
  about: string;
  bad?: boolean;
}

/** What the keys and buttons do to a station, by its state. */
export function deedsOf(id: number): Deed[] {
  const who = doers.value;
  return deedsFor(id).flatMap((deed) => {
    if (!who) return [deed];
    const doer = who[deed.verb];
    return doer ? [{ ...deed, about: `${deed.about}; done by the ${doer}` }] : [];
  });
}

function deedsFor(id: number): Deed[] {
  const s = ring.value?.stations.find((one) => one.id === id);
  if (!s) return [];
  if (s.power === DOWN) {
    return [{ name: "Restart", verb: "restart", key: "r", about: "power returns" }];
  }
  return [
    s.power === STILL
      ? { name: "Resume", verb: "resume", key: "h", about: "it goes on" }
      : { name: "Hang", verb: "hang", key: "h", about: "powered, but deaf and mute", bad: true },
    { name: "Ask", verb: "request", key: "a", about: "it asks for the critical section" },
    { name: "Crash", verb: "crash", key: "c", about: "its power fails", bad: true },
    { name: "Elect", verb: "elect", key: "e", about: "it starts an election" },
    { name: "Drop next", verb: "drop", args: ["1"], key: "d", about: "its next frame is lost", bad: true },
    s.cut || s.deaf
      ? { name: "Mend", verb: "mend", key: "x", about: "its link is whole again" }
      : { name: "Cut link", verb: "cut", key: "x", about: "its frames reach nobody", bad: true },
  ];
}

export function doTo(id: number, key: string): boolean {
  const deed = deedsOf(id).find((one) => one.key === key);
  if (!deed) return false;
  act(deed.verb, String(id), ...(deed.args ?? []));
  return true;
}

export function ActionBar() {
  const id = selected.value;
  const typed = useSignal("");
  if (source.value === "log" || !header.value) return null;
  if (doers.value && Object.keys(doers.value).length === 0)
    return <p class="actions hint">This ring is only watched: nothing is sent to it.</p>;
  const known = ring.value?.stations.some((one) => one.id === id);
  const groups = ring.value?.groups;
  const command = (event: Event) => {
    event.preventDefault();
    const [verb = "", ...args] = typed.value.trim().split(/\s+/);
    if (!verb) return;
    act(verb, ...args);
    typed.value = "";
  };
  return (
    <div class="actions" role="toolbar" aria-label="What can be done to the ring">
      {known ? (
        <>
          <strong class="who">Station {id}</strong>
          {deedsOf(id)
            .sort((a, b) => Number(a.bad ?? false) - Number(b.bad ?? false))
            .map((deed) => (
              <button
                key={deed.verb}
                type="button"
                class={deed.bad ? "bad" : ""}
                title={`${deed.about} (key ${deed.key.toUpperCase()})`}
                onClick={() => doTo(id, deed.key)}
              >
                {deed.name}
              </button>
            ))}
        </>
      ) : (
        <span class="hint">Click a station. Drag a line across the ring to partition it.</span>
      )}
      <span class="gap" />
      {groups ? (
        <button type="button" onClick={() => act("heal")}>
          Heal
        </button>
      ) : null}
      {(!doers.value || doers.value.calm) && (
        <button type="button" title="every fault ends" onClick={() => act("calm")}>
          Calm
        </button>
      )}
      <form onSubmit={command}>
        <input
          aria-label="Any action, for example partition 1,2/3,4,5"
          placeholder="any action: inject 1 TOK,…"
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
          spellcheck={false}
        />
      </form>
    </div>
  );
}
