import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { smallRingText, summaryJson, summaryText } from "../../src/cli/check-words.ts";
import { report } from "../../src/cli/commands/check.ts";
import { search } from "../../src/host/search/search.ts";
import { smallRingSoFar } from "../../src/host/search/small-ring.ts";
import { Totals } from "../../src/host/search/totals.ts";
import { toolTest } from "../tools.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the command on a terminal of its own. */
function onTerminal(args: readonly string[]) {
  const program = `${process.execPath} --import tsx src/cli/main.ts ${args.join(" ")}`;
  const socat = spawn(
    "socat",
    ["-", `SYSTEM:trap true INT; ${program}; echo code $?,pty,setsid,ctty,stderr,rawer,isig=1`],
    {
      cwd: ROOT,
      timeout: 50_000,
      killSignal: "SIGKILL",
    },
  );
  let screen = "";
  socat.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
  });
  const ended = new Promise<string>((resolve) => socat.on("close", () => resolve(screen)));
  const shows = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => pattern.test(screen) && resolve();
      socat.stdout.on("data", look);
      void ended.then(() => reject(new Error(`never showed ${pattern}: ${screen}`)));
    });
  return { shows, ended, type: (text: string) => socat.stdin.write(text) };
}

toolTest(["socat"])(
  "Ctrl-C ends check in the middle of a small ring, with what there is so far",
  async () => {
    const program = onTerminal(["check", "--runs", "50", "--exhaustive", "4"]);
    await program.shows(/checking 50 runs 100 %, small rings 0 of 15, \d{4,} states/);
    const before = performance.now();
    program.type("\x03");
    const screen = await program.ended;
    // The ring that is searched first takes ten times as long.
    expect(performance.now() - before).toBeLessThan(5000);
    expect(screen).toMatch(
      /4 stations, (bully|ring), formed +[1-9]\d* states, stopped, not complete \(1 crash, 1 loss\)/,
    );
    expect(screen).toMatch(/Stopped before \d+ more small rings\.\s+code 0/);
    expect(screen).not.toContain("complete (1 crash, 1 loss, 1 request)");
  },
);

test("a search that is stopped says which small rings it had begun, and how many it had not", async () => {
  const stop = new AbortController();
  const totals = await search({
    seed: 1,
    runs: 8,
    exhaustive: 2,
    processes: 1,
    signal: stop.signal,
    onProgress: (_, { done, all, states }) => {
      expect([done, all]).toEqual([0, 6]);
      if (states > 0) stop.abort();
    },
  });
  expect(totals.runs).toBe(8);
  expect(totals.smallRings).toHaveLength(1);
  expect(totals.smallRings[0]).toMatchObject({
    stations: 2,
    complete: false,
    stopped: true,
    violation: null,
  });
  expect(totals.smallRings[0]?.states).toBeGreaterThan(0);
  expect(totals.smallRingsLeft).toBe(5);
  expect(summaryText(totals, 1)).toMatch(
    /states, stopped, not complete.*\nStopped before 5 more small rings\.\n$/,
  );
});

/** What is written, and the exit code. */
function reported(totals: Totals, json = false) {
  const before = process.exitCode;
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    process.exitCode = 0;
    report(totals, 1, {}, json);
    const text = (spy: typeof out) => spy.mock.calls.map(([part]) => part).join("");
    return { code: process.exitCode, stdout: text(out), stderr: text(err) };
  } finally {
    vi.restoreAllMocks();
    process.exitCode = before;
  }
}

test("the exit code is 1 when a small ring was not searched to the end, but 0 when Ctrl-C stopped it", () => {
  const ring = { ...smallRingSoFar(0, 3_000_001), stopped: false };
  const cut = new Totals();
  cut.smallRings.push(ring);
  const words = "4 stations, bully, formed: not searched to the end, it has more than 3000001 states\n";
  expect(reported(cut)).toMatchObject({ code: 1, stdout: expect.stringContaining(words) });
  expect(reported(cut, true)).toMatchObject({ code: 1, stderr: `\n${words}` });
  const stopped = new Totals();
  stopped.smallRings.push({ ...ring, stopped: true }, { ...ring, complete: true });
  expect(reported(stopped)).toMatchObject({ code: 0, stderr: "" });
  const wrong = new Totals();
  wrong.smallRings.push({
    ...ring,
    complete: true,
    violation: { text: "it stands still", trace: ["crash 1"] },
  });
  expect(reported(wrong)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("it stands still\ncrash 1\n"),
  });
});

test("a small ring with more states than fit does not look like one that was searched to the end", () => {
  const totals = new Totals();
  totals.smallRings.push({ ...smallRingSoFar(0, 3_000_001), stopped: false });
  expect(summaryText(totals, 1)).toContain("3000001 states, NOT COMPLETE (1 crash, 1 loss)");
  expect(smallRingText(totals.smallRings[0]!)).toBe(
    "4 stations, bully, formed: not searched to the end, it has more than 3000001 states\n",
  );
  expect(summaryJson(totals, 1)).toMatchObject({ exhaustive: [{ complete: false, stopped: false }] });
});
