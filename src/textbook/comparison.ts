/** The shapes of the textbook's tables. Numbers are messages unless a comment says otherwise. */

/** One entry that nobody contends. */
export interface PerEntryRow {
  algorithm: string;
  stations: number;
  /** Where it depends on a place: which one was measured. */
  case: string;
  messages: number;
  /** The textbook's number; where it gives a range, the most. null: it gives none. */
  theory: number | null;
  /** Passages over links of the ring. */
  hops: number;
  /** Message times from the request to the entry. */
  delay: number | null;
  /** Message times from an exit to the entry of a station that waits. */
  synchronisation: number | null;
  /** Milliseconds from the request to the entry, on this ring. */
  delayMs: number | null;
  matches: boolean;
}

/** Several stations that ask at the same instant. */
export interface SimultaneousRow {
  algorithm: string;
  stations: number;
  contenders: number;
  messages: number;
  theory: number | null;
  perEntry: number;
  hops: number;
  matches: boolean;
}

/** A trace of many batches. */
export interface ContendedRow {
  algorithm: string;
  meanContenders: number;
  stations: number;
  entries: number;
  messages: number;
  theory: number | null;
  matches: boolean;
}

export interface ElectionRow {
  algorithm: string;
  stations: number;
  down: number[];
  starter: number;
  messages: number;
  theory: number | null;
  hops: number;
  coordinator: number;
  matches: boolean;
}

export interface Comparison {
  perEntry: PerEntryRow[];
  simultaneous: SimultaneousRow[];
  contended: ContendedRow[];
  elections: ElectionRow[];
  /** True when every row matches the textbook. */
  matches: boolean;
}
