/**
 * Trouble that comes again and again: a noisy line refuses a million frames, and a line for each would bury the rest. The
 * first of a kind are shown, then the hundredth, the thousandth and so on; how many were left out is said at the end.
 */
const FLOODS: readonly string[] = ["bad", "dropped", "corrupted", "duplicated", "stale", "orphan", "refused"];

/** So many of a kind are shown each. */
const SHOWN = 20;

export class Floods {
  /** How many have come, by who and event. */
  readonly #counts = new Map<string, { who: string; event: string; count: number; leftOut: number }>();

  /** @returns what stands behind the line; null: it is left out */
  take(event: string, who: string): string | null {
    if (!FLOODS.includes(event)) return "";
    const key = `${event} ${who}`;
    const kind = this.#counts.get(key) ?? { who, event, count: 0, leftOut: 0 };
    this.#counts.set(key, kind);
    kind.count++;
    if (kind.count < SHOWN) return "";
    if (kind.count === SHOWN) return " (from now on the 100th, the 1000th and so on; the log has all)";
    if (/^10+$/.test(String(kind.count))) return ` (${kind.count} by now)`;
    kind.leftOut++;
    return null;
  }

  /** @returns a line for each kind of which some were left out */
  leftOut(): string[] {
    return [...this.#counts.values()]
      .filter(({ leftOut }) => leftOut > 0)
      .map(
        ({ who, event, count, leftOut }) => `${who}: ${count} times "${event}", ${leftOut} of them not shown`,
      );
  }
}
