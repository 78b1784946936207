/** Places for words so that none lies on another. */

/** Width of a character of a label at most, pixels. */
export const LABEL_CHAR = 6.1;
const LABEL_HEIGHT = 12;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export class LabelPlaces {
  readonly #taken: Box[] = [];

  /** Keeps a part of the picture free of labels. */
  take(left: number, top: number, right: number, bottom: number): void {
    this.#taken.push({ left, right, top, bottom });
  }

  /**
   * @param tries base lines to try, the best first
   * @param limits where a label must lie, left and right
   * @returns the start of its base line, or undefined where there is no room
   */
  place(
    text: string,
    x: number,
    tries: readonly number[],
    limits: readonly [number, number],
  ): { x: number; y: number } | undefined {
    const width = text.length * LABEL_CHAR;
    if (width > limits[1] - limits[0]) return undefined;
    for (const start of [x + 4, x - width / 2, x - width - 4]) {
      const left = Math.min(Math.max(start, limits[0]), limits[1] - width);
      for (const y of tries) {
        const box = { left: left - 4, right: left + width + 4, top: y - LABEL_HEIGHT + 2, bottom: y + 3 };
        if (this.#taken.some((other) => overlap(box, other))) continue;
        this.#taken.push(box);
        return { x: left, y };
      }
    }
    return undefined;
  }
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
