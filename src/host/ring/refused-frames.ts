/** A board of a wired ring says how many frames it has refused in all, by cause; a log wants what is new. */

/** Whatever the board's reader counts, now or in another version: a list here would forget one. */
const CAUSE = /^[a-z][a-z-]{0,19}$/;
/** More are no counts of a reader. */
const MOST_CAUSES = 16;

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
    if (entries.length > MOST_CAUSES) return null;
    if (!entries.every(([cause, n]) => CAUSE.test(cause) && Number.isSafeInteger(n) && n >= 0)) return null;
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
