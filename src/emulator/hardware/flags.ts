/** The interpreter's error flags, in the order in which `E.getErrorFlags()` lists them. */
export const errorFlagNames = [
  "FIFO_FULL",
  "BUFFER_FULL",
  "CALLBACK",
  "LOW_MEMORY",
  "MEMORY",
  "MEMORY_BUSY",
  "UART_OVERFLOW",
] as const;

export type ErrorFlag = (typeof errorFlagNames)[number];

export class ErrorFlags {
  private readonly set = new Set<ErrorFlag>();
  private readonly reported = new Set<ErrorFlag>();

  raise(flag: ErrorFlag): void {
    this.set.add(flag);
  }

  /** All flags that are up, and puts them down: `E.getErrorFlags()`. */
  take(): ErrorFlag[] {
    const up = errorFlagNames.filter((name) => this.set.has(name));
    this.clear();
    return up;
  }

  /** Flags that came up since the last look. */
  fresh(): ErrorFlag[] {
    const found = errorFlagNames.filter((name) => this.set.has(name) && !this.reported.has(name));
    for (const name of found) this.reported.add(name);
    return found;
  }

  clear(): void {
    this.set.clear();
    this.reported.clear();
  }
}
