/** Johnny-Five as a program uses it: always with an `io`, without its prompt, its log and its signal handler. */
import five from "johnny-five";

/** A board that is ready. */
export async function readyBoard(io: unknown): Promise<five.Board> {
  const board = new five.Board({ io, repl: false, debug: false, sigint: false } as five.BoardOption);
  await new Promise<void>((resolve) => board.on("ready", resolve));
  return board;
}

/** Waits until something holds, or fails after `ms`. */
export async function until(holds: () => boolean, what: () => string, ms = 4000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`not within ${ms} ms: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Handlers of this process, by event. */
export function processHandlers(): string {
  return process
    .eventNames()
    .map((event) => `${String(event)} ${process.listenerCount(event)}`)
    .sort()
    .join(", ");
}
