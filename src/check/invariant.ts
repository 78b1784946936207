import type { RingView } from "./ring-view.ts";

/** Something that must hold after every record. */
export interface Invariant {
  /** It holds whatever frames are forged; left out: nothing is claimed until the ring can have recovered from them. */
  readonly always?: true;
  /** @returns what is wrong since record `i`, in words; null: nothing */
  see(i: number, view: RingView): string | null;
  /** What was seen so far may have been forged: it says nothing of what comes. */
  forget?(): void;
}
