import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests that wait on the wall clock: boards behind terminals, time limits of the console, a person's Ctrl-C. */
const REALTIME = [
  "test/cli/commands/commands.test.ts",
  "test/cli/commands/flash.test.ts",
  "test/cli/ends/stopping.test.ts",
  "test/conformance/**/*.test.ts",
  "test/host/{bench,console,flash,ring}/**/*.test.ts",
  "test/page/live.test.ts",
  "test/panel/**/*.test.ts",
  "test/textbook/on-{boards,interpreter}.test.ts",
  "test/textbook/bench-runner.test.ts",
];

/** Tests that go through all of a space, or through thousands of seeds. */
const SWEEP = ["test/check/**/*.test.ts", "test/claims/**/*.test.ts", "test/textbook/**/*.test.ts"];

/** Tests that make processes of other people's programs, or long files. */
const OTHERS = [
  "test/log/commands.test.ts",
  "test/page/**/*.test.ts",
  "test/log/{capture,export}/**/*.test.ts",
  "test/ground/closing-line.test.ts",
];

const group = (name: string, include: string[], exclude: string[]) => ({
  extends: true as const,
  test: { name, include, exclude },
});

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    // Real serial ports abort a process that opens them in a worker thread.
    pool: "forks",
    // One for each core of a small machine: of those that wait on the clock more would wait for one another.
    maxWorkers: 2,
    // Long enough for a slow machine: a limit is here to end a hang, timings decide nothing.
    testTimeout: 60_000,
    reporters: ["default", fileURLToPath(new URL("closing-line.ts", import.meta.url))],
    projects: [
      group("unit", ["test/**/*.test.ts"], [...REALTIME, ...SWEEP, ...OTHERS]),
      group("sweep", [...SWEEP, ...OTHERS], REALTIME),
      group("realtime", REALTIME, []),
    ],
  },
});
