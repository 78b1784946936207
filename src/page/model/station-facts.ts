/** What a station knows, as names and texts: from its whole state where it is simulated, else from the records. */
import type { StationMoment } from "./moment.ts";
import { wordsOf } from "./station-words.ts";

export interface Fact {
  name: string;
  text: string;
}

/** Of a station's own state these come first, under these names. */
const NAMES: { [key: string]: string } = {
  joined: "has joined",
  coordinator: "coordinator",
  epoch: "epoch",
  hop: "highest hop seen",
  predecessor: "predecessor",
  wants: "wants to enter",
  inside: "is inside",
  fenceEpoch: "fence, epoch",
  fenceGrant: "fence, grant",
  electionRound: "round of elections",
};

/** Times of the station's own clock, ms: they change all the time and tell little. */
const LEFT_OUT = new Set([
  "id",
  "bootId",
  "heardAt",
  "othersAt",
  "monitorAt",
  "tokenAt",
  "tokenSeen",
  "settings",
]);

/** @param state the station's whole state, where it is known */
export function factsOf(station: StationMoment, state?: { [key: string]: unknown }): Fact[] {
  const facts: Fact[] = [{ name: "is", text: wordsOf(station).join(", ") || "at rest" }];
  if (!state) {
    const { coordinator, epoch, grant, requestedAt } = station;
    facts.push(
      { name: "coordinator", text: coordinator < 0 ? "knows none" : String(coordinator) },
      { name: "last fence", text: epoch < 0 ? "none" : `epoch ${epoch} grant ${grant}` },
      { name: "asks since", text: requestedAt < 0 ? "does not ask" : `${(requestedAt / 1e6).toFixed(3)} s` },
      { name: "has the token", text: yes(station.token) },
    );
    return facts;
  }
  for (const [key, name] of Object.entries(NAMES))
    if (key in state) facts.push({ name, text: textOf(state[key]) });
  for (const [key, value] of Object.entries(state)) {
    if (key in NAMES || LEFT_OUT.has(key)) continue;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [part, inner] of Object.entries(value))
        facts.push({ name: `${key}: ${spaced(part)}`, text: textOf(inner) });
    } else facts.push({ name: spaced(key), text: textOf(value) });
  }
  return facts;
}

function yes(value: boolean): string {
  return value ? "yes" : "no";
}

function textOf(value: unknown): string {
  if (typeof value === "boolean") return yes(value);
  if (value === -1) return "none";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(1);
  if (typeof value === "string") return value || "empty";
  return JSON.stringify(value);
}

function spaced(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
