/** A board of a wired ring says how many frames it has refused in all, by cause; a log wants what is new. */

/** What the reader of frames counts, and nothing else that a board may send. */
const CAUSES: readonly string[] = ["no-start", "too-long", "bad-fcs", "bad-field", "unknown-type"];

export class RefusedFrames {
  #before = new Map<string, number>();

  /** The board has started anew, and counts from 0. */
  forget(): void {
    this.#before.clear();
  }

  /**
   * @param json counts by cause: `{"bad-fcs":3}`
   * @returns how many are new, by cause, where there are any. The first time these are all since the board counts. null:
   * the text is no such list
   */
  since(json: string): [cause: string, count: number][] | null {
    let counts: unknown;
    try {
      counts = JSON.parse(json);
    } catch {
      return null;
    }
    if (typeof counts !== "object" || counts === null) return null;
    const entries = Object.entries(counts);
    if (!entries.every(([cause, n]) => CAUSES.includes(cause) && Number.isSafeInteger(n) && n >= 0))
      return null;
    const now = new Map<string, number>(entries);
    // It has started anew without a word.
    if ([...this.#before].some(([cause, n]) => (now.get(cause) ?? 0) < n)) this.#before.clear();
    const before = this.#before;
    this.#before = now;
    return [...now]
      .map(([cause, n]): [string, number] => [cause, n - (before.get(cause) ?? 0)])
      .filter(([, n]) => n > 0);
  }
}
