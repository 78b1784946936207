import { escapeControls } from "../errors.ts";
import { causeText } from "./errors.ts";

/**
 * Calls a listener so that neither an exception nor a rejection in it gets any further. `count` counts the failure and
 * returns how many there were; the first one is reported as a process warning.
 */
export function guarded(call: () => unknown, path: string, count: () => number): void {
  const failed = (error: unknown) => {
    if (count() > 1) return;
    process.emitWarning(`a listener of ${escapeControls(path)} failed: ${causeText(error)}`);
  };
  try {
    const result = call();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
