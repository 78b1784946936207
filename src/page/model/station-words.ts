/** What a station is at a moment, in words: the same in the ring, in labels for screen readers, and in tables. */
import { DOWN, STILL } from "../../check/ring-view.ts";
import type { StationMoment } from "./moment.ts";

export type StationKind = "dead" | "still" | "inside" | "asking" | "idle";

export function kindOf(s: StationMoment): StationKind {
  if (s.power === DOWN) return "dead";
  if (s.power === STILL) return "still";
  if (s.inside) return "inside";
  return s.requestedAt >= 0 ? "asking" : "idle";
}

const KIND_WORDS: { [kind in StationKind]: string } = {
  dead: "dead",
  still: "stands still",
  inside: "inside",
  asking: "asks",
  idle: "",
};

/** @returns short words, the most important first; none for a station at rest */
export function wordsOf(s: StationMoment): string[] {
  const words = [KIND_WORDS[kindOf(s)]];
  if (s.duty && s.power !== DOWN) words.push("coordinator");
  if (!s.inserted && s.power !== DOWN) words.push("bypassed");
  if (s.cut) words.push("cut off");
  if (s.deaf) words.push("deaf");
  if (s.beaconing) words.push("hears nobody");
  return words.filter((word) => word !== "");
}

/** @returns a sentence for a screen reader */
export function sentenceOf(s: StationMoment): string {
  const words = wordsOf(s);
  if (s.token) words.push("has the token");
  return `Station ${s.id}${words.length ? `: ${words.join(", ")}` : ""}`;
}
