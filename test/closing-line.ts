import type { Reporter, TestModule } from "vitest/node";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Ends a test run with one line on stdout: `N passed, N failed, N skipped`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed, skipped } = count(modules);
    const all = failed + unhandledErrors.length;
    process.stdout.write(`${passed} passed, ${all} failed, ${skipped} skipped\n`);
  }
}

/**
 * Counts tests by their result. A file that does not load and a suite whose hook throws have failed although none of
 * their tests did: each counts as one failure. So does a test that the run left unfinished.
 */
function count(modules: readonly TestModule[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === "pending" ? "failed" : state] += 1;
    }
  }
  return counts;
}
