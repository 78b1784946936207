/** What a textbook says that a run costs: one number, or a range where it depends on places and times. */
export interface Bounds {
  /** Messages; `most` is Infinity where the textbook gives no limit. */
  least: number;
  most: number;
  /** The rule, as the textbook writes it. */
  formula: string;
}

/** Theory beside what was measured. */
export interface Verdict {
  /** The one number that theory gives, null where it gives a range. */
  total: number | null;
  least: number;
  /** null: no limit. */
  most: number | null;
  formula: string;
  matches: boolean;
}

/** @returns exactly `total` messages */
export function exactly(total: number, formula: string): Bounds {
  return { least: total, most: total, formula };
}

/** Holds a measured number of messages against the theory. */
export function judge(bounds: Bounds, measured: number): Verdict {
  const { least, most, formula } = bounds;
  return {
    total: least === most ? least : null,
    least,
    most: Number.isFinite(most) ? most : null,
    formula,
    matches: measured >= least && measured <= most,
  };
}
