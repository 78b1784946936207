// What the host asks of a protocol beside what a station runs: it stands in the protocol's own file, so that nothing else
// has to know the protocol by its name, and is left out of a board's boot code. Types only.
import type { Frame, Station } from "./types.d.ts";

export interface Traits {
  /** Mutual exclusion by a token. */
  token?: TokenTrait;
  /** Mutual exclusion: what the two numbers of an entry's fence are, for example `["timestamp", "id"]`. */
  fence?: readonly [string, string];
  /** Mutual exclusion: who enters next is left to chance, so that nobody can say for sure how long one waits. */
  byChance?: boolean;
  /** Mutual exclusion: whom the station waits for, each with the textbook's name of the message that is to come. */
  waits?(s: Station): [id: number, message: string][];
  /** Election: a higher id that comes back takes over from a lower coordinator, unless it is told not to. */
  takesOver?: boolean;
  /** Election: whether a message, by the textbook's name, may go to higher or to lower ids; left out: to any. */
  asks?: { readonly [message: string]: "higher" | "lower" };
  /** Election: what the exhaustive search of small rings must know. Without it every field of its state counts. */
  search?: ElectionSearch;
}

export interface TokenTrait {
  /** Type of the frame that carries it. */
  type: string;
  /** It goes round the ring for ever, and the active monitor replaces it; else it rests where it was used last. */
  circulates?: boolean;
  /** Is it at the station? */
  held(s: Station): boolean;
}

export interface ElectionSearch {
  /** Is an election of the station's own under way? */
  electing(s: Station): boolean;
  /** Number of the last result that the station took, where it remembers one. */
  applied?(s: Station): number;
  /** Adds what of the station's state makes a difference to what can happen, `applied` apart. */
  key(s: Station, hash: { add(n: number): void }): void;
  /** By timer: may it run out now, in a ring without time? Not while what its limit allows for is still under way. */
  mayEnd: { readonly [timer: string]: (s: Station, ring: ElectionsUnderWay) => boolean };
}

/** The elections that are under way in a small ring. */
export interface ElectionsUnderWay {
  /** Is such a frame of an election on a link? Not counted is one that goes round with nobody left to copy or strip it. */
  some(test: (frame: Frame) => boolean): boolean;
  /** Does another station than this hold an election of its own? */
  othersElect(s: Station): boolean;
}
