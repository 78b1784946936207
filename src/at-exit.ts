/**
 * What this process owes, however it ends: parts of files that it removes, processes that it started. Only a kill (SIGKILL, or a
 * signal that nobody handles) comes before it.
 */
const owed = new Set<() => void>();

function pay(): void {
  for (const task of owed) {
    owed.delete(task);
    try {
      task();
    } catch {
      // The other tasks are owed as well, and nobody is left to be told.
    }
  }
}

/**
 * @param task done at the exit of the process; it cannot wait for anything
 * @returns a function that takes it back
 */
export function atExit(task: () => void): () => void {
  if (!process.listeners("exit").includes(pay)) process.on("exit", pay);
  owed.add(task);
  return () => void owed.delete(task);
}
