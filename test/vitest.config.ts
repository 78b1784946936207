import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    // Real serial ports abort a process that opens them in a worker thread.
    pool: "forks",
    // Long enough for a slow machine: a limit is here to end a hang, timings decide nothing.
    testTimeout: 60_000,
    reporters: ["default", fileURLToPath(new URL("closing-line.ts", import.meta.url))],
  },
});
