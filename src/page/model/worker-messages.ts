/** What the page and its worker say to one another. */
import type { ColumnParts } from "../../log/columns.ts";
import type { RunHeader } from "../../log/records.ts";
import type { Plan } from "../../simulation/plan.ts";
import type { Action } from "../../simulation/script/script.ts";

/** `run` numbers what is asked for: answers to an earlier one are passed over. */
export type Ask =
  | { kind: "simulate"; run: number; plan: Plan; script: Action[]; until: number }
  | { kind: "extend"; run: number; until: number }
  | { kind: "look"; run: number; at: number }
  | { kind: "log"; run: number; name: string; file: Blob };

export type Answer =
  | { kind: "header"; run: number; header: RunHeader }
  | { kind: "records"; run: number; parts: ColumnParts }
  /** All records up to `until` (µs) are there. `full`: there is no room for more. */
  | { kind: "reached"; run: number; until: number; full: boolean; violation: string; warnings: string[] }
  /** Whole states of stations at a moment of a simulated run, by position. */
  | { kind: "states"; run: number; at: number; states: { [key: string]: unknown }[] }
  | { kind: "refused"; run: number; reason: string };
