/** Where a file, a capture or a picture is written to: a plain file, a pipe, a terminal or another device. */
export interface Output {
  readonly path: string;
  /** @throws UsageError where it takes no more */
  write(piece: string | Uint8Array): void;
  /** Null: it takes more now. Else settles when it does, or has failed. */
  ready(): Promise<void> | null;
  /** Hands on all that was written, and ends. @throws UsageError where that fails */
  finish(): void | Promise<void>;
  /** Ends at once. What cannot be half there is removed. Nothing to do where it is finished. */
  abandon(): void;
}

export interface OpenOptions {
  /** Ends the waiting for the reader of a pipe. */
  signal?: AbortSignal;
  /** Told once, in words, that a pipe has no reader yet. */
  onWaiting?: (words: string) => void;
  /** The file appears under its name only when it is whole; else it grows there. */
  whole?: boolean;
}
