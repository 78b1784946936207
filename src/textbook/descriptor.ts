/** What the program knows of an algorithm beside the code that stations run: one object, in one file, for each. */
import type { Bounds } from "./bounds.ts";

interface Facts {
  /** The name that options and tables use: that of the protocol. */
  name: string;
  title: string;
  /** Paper or book, with its year. */
  source: string;
  /** Messages, as the textbook writes them, for N stations. */
  messages: string;
  /** In which order those that wait are served, who wins, or what else it gives. */
  order: string;
  /** The assumption that it rests on, and what happens without it. */
  breaks: string;
  /** A command that shows it. */
  scenario: string;
  /** What the scenario says where the assumption does not hold and nobody is served any more; left out: it goes on. */
  stops?: RegExp;
  /** What a scenario that goes on says. */
  shows?: RegExp;
}

/** Stations that ask for the critical section at the same instant. */
export interface MutexCase {
  /** Ids in ring order. */
  ids: readonly number[];
  /** Ids that ask, each once. */
  contenders: readonly number[];
  /** The elected station. */
  coordinator: number;
  /** Station that holds the token then; -1 where the algorithm has none. */
  holder: number;
}

/** One entry that nobody contends: where the cost depends on places, the cheapest and the dearest. */
export interface EntryCase {
  /** "" where there is only one. */
  name: string;
  requester: number;
  /** Where the token is as the station asks; left out: where it rests. */
  tokenAt?: number;
}

export interface MutexDescriptor extends Facts {
  kind: "mutual exclusion";
  /** Messages of a batch, all kinds together. */
  theory(run: MutexCase): Bounds;
  /** The cases that `compare` measures; left out: one entry of the lowest id. */
  cases?(ids: readonly number[]): EntryCase[];
}

export interface ElectionCase {
  /** Ids in ring order. */
  ids: readonly number[];
  down: readonly number[];
  starters: readonly number[];
}

/** A ring of stations 1 to n of which some are dead. */
export interface ElectionRing {
  stations: number;
  down: number[];
}

export interface ElectionDescriptor extends Facts {
  kind: "election";
  /** Messages of an election, all kinds together. */
  theory(run: ElectionCase): Bounds;
  /** The rings that `compare` measures, with each live station as the starter. */
  rings: readonly ElectionRing[];
}

/** What else a station can do: it is shown, but not compared. */
export interface OtherDescriptor extends Facts {
  kind: "clocks" | "deadlock";
}

export type Descriptor = MutexDescriptor | ElectionDescriptor | OtherDescriptor;
