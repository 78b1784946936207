/** Counts by name. Made-up names in a damaged file do not fill the memory: beyond a hundred they count as others. */
const MOST_NAMES = 100;

export class Counts {
  readonly #counts = new Map<string, number>();

  add(name: unknown, n = 1): void {
    let key = String(name ?? "unknown");
    if (!this.#counts.has(key) && this.#counts.size >= MOST_NAMES) key = "others";
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + n);
  }

  /** In the order in which the names came. */
  toObject(): { [name: string]: number } {
    return Object.fromEntries(this.#counts);
  }
}
