/** What the page shows when it opens, and how its address follows what is done. */
import { effect } from "@preact/signals";
import { UsageError } from "../../../errors.ts";
import { addressOf, fromAddress, readScriptText, type SetUp } from "../../model/set-up.ts";
import { readStory } from "../../model/story.ts";
import { askServer } from "./ask-server.ts";
import { carried, carriedLog } from "./carried.ts";
import { goLive } from "./live.ts";
import { quick } from "./player.ts";
import { branch, notice, open, openLog, playing, source, story } from "./run.ts";

const FIRST: SetUp = { words: [["stations", "5"]], actions: [] };

export function openStory(name: string): void {
  const script = carried.stories[name];
  if (script === undefined) {
    notice.value = `there is no story called ${name}`;
    return;
  }
  open(readScriptText(script), readStory(name, script));
  quick.value = true;
  playing.value = true;
}

function openAddress(): void {
  try {
    const asked = fromAddress(location.hash);
    if (asked.story !== undefined && asked.words.length === 0) {
      openStory(asked.story);
      return;
    }
    const script = asked.story === undefined ? undefined : carried.stories[asked.story];
    const isFirst = asked.words.length === 0 && asked.actions.length === 0;
    open(
      isFirst ? FIRST : asked,
      script === undefined || asked.story === undefined ? null : readStory(asked.story, script),
    );
    playing.value = isFirst;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    open(FIRST);
    notice.value = `the address asks for what no ring can be: ${error.message}`;
  }
}

/** The log that the program was started with. */
async function openServed(name: string): Promise<void> {
  try {
    const response = await askServer("/log");
    openLog(name, await response.blob());
  } catch (error) {
    notice.value = `${name} cannot be had: ${(error as Error).message}`;
  }
}

export function start(): void {
  const log = carriedLog();
  if (log) {
    openLog(log.name, new Blob([log.log]));
    return;
  }
  if (carried.live) {
    void goLive();
    return;
  }
  if (carried.served !== undefined) {
    void openServed(carried.served);
    return;
  }
  openAddress();
  addEventListener("hashchange", openAddress);
  effect(() => {
    const shown = branch.value;
    if (!shown || source.value !== "simulation") return;
    const address = `#${addressOf(shown.setUp, story.value?.name)}`;
    if (address !== location.hash) history.replaceState(null, "", address);
  });
}
