/** What the person looks at: it changes nothing of the run. */
import { signal } from "@preact/signals";

export type Stage = "ring" | "messages" | "figures";
export type Side = "told" | "station" | "script";

/** Id of the station that is looked at; -1: none. */
export const selected = signal(-1);
/** A second station beside it. */
export const beside = signal(-1);
export const stage = signal<Stage>("ring");
export const side = signal<Side>("told");
/** What is opened over the page. */
export const dialog = signal<"" | "set-up" | "help">("");
/** Record that is looked at in the diagram; -1: none. */
export const picked = signal(-1);
