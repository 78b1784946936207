/** That a station is on a broker: a retained message that its last will takes away. */
import { escapeControls } from "../../errors.ts";

const LONGEST_TEXT = 80;
const LONGEST = 1000;

export interface Presence {
  /** Made anew at each start of the sharing program. */
  instance: string;
  /** The computer, for people. */
  name: string;
  /** What the station is: a port, "emulated", "simulated". */
  what: string;
  /** False while it finds out whether another program has the id. */
  settled: boolean;
}

export function presenceText(presence: Presence): string {
  return JSON.stringify(presence);
}

/** @returns undefined for what no program of ours wrote; texts come back escaped and clipped */
export function readPresence(payload: Buffer): Presence | undefined {
  if (payload.length === 0 || payload.length > LONGEST) return undefined;
  try {
    const { instance, name, what, settled } = JSON.parse(payload.toString("utf8")) as Presence;
    if (typeof instance !== "string" || !/^[a-z0-9]{1,16}$/.test(instance)) return undefined;
    if (typeof name !== "string" || typeof what !== "string") return undefined;
    return { instance, name: shown(name), what: shown(what), settled: settled === true };
  } catch {
    return undefined;
  }
}

function shown(text: string): string {
  return escapeControls(text.slice(0, LONGEST_TEXT));
}
