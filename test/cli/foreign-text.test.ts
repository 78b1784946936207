/** What boards, logs, names of files and options say reaches a terminal, or another program's file, as text only. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Floods } from "../../src/cli/floods.ts";
import { print, printJson } from "../../src/cli/terminal.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import { FORMATS } from "../../src/log/export/formats.ts";
import { NdjsonWriter } from "../../src/log/file/ndjson-writer.ts";
import { memorySource } from "../../src/log/file/source.ts";
import { html } from "../../src/page/html.ts";
import { DEFAULT_PLAN } from "../../src/simulation/plan.ts";
import { filesIn, read } from "../ground/files.ts";
import { exported } from "../log/export/help.ts";
import { sampleHeader } from "../log/sample.ts";
import { ringlab } from "./ringlab.ts";

/** Title of the window (OSC), its C1 twin, colours, clear screen, DEL, direction, a line of its own, an end of a comment. */
const HOSTILE = '\x1b]0;owned\x07\x9d0;owned\x9c\x1b[31m\x9b2J\x7f\u202eevil\u2028\r\n$end <b>&"\x00';

const CONTROLS = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const dir = mkdtempSync(join(tmpdir(), "ringlab-foreign-"));
afterAll(() => rmSync(dir, { recursive: true }));

function hostileRun() {
  const columns = new RecordColumns();
  columns.addEvent(1, "console", 1, HOSTILE);
  columns.addEvent(2, "sent", 1, 2, HOSTILE);
  columns.addEvent(3, "bad", 1, HOSTILE);
  columns.addEvent(4, "crash", 2, HOSTILE);
  columns.addEvent(5, "fault", 2, HOSTILE, HOSTILE);
  columns.addEvent(6, "refused", 2, HOSTILE, HOSTILE, HOSTILE);
  columns.addFrame(7, "hop", 1, 2, 1, { type: "DAT", src: 1, dst: 2, args: [HOSTILE], flags: 0 });
  columns.addFrame(8, "dropped", 1, 2, 1, { type: "DAT", src: 1, dst: 2, args: [HOSTILE], flags: 0 });
  const header = { ...sampleHeader(DEFAULT_PLAN), program: HOSTILE, election: HOSTILE };
  return { header, columns };
}

describe("a run with hostile texts in it", () => {
  const { header, columns } = hostileRun();
  const file = join(dir, "hostile.ndjson");
  const writer = new NdjsonWriter(file, header);
  writer.write(columns);
  void writer.close(writer.footer(HOSTILE));

  test.each(
    [...FORMATS, html]
      .filter(({ name }) => name !== "pcapng")
      .map((format) => [format.name, format] as const),
  )("is exported to %s without a control character", (name, format) => {
    const text = exported(format, memorySource(header, columns)).toString("utf8");
    const own = name === "csv" ? text.replaceAll("\r\n", "\n") : text;
    // The page's own program may hold what it likes; it is the run in it that counts.
    const data = name === "html" ? (/id="log".*?<\/script>/s.exec(own)?.[0] ?? "") : own;
    expect(data.length).toBeGreaterThan(20);
    expect(CONTROLS.exec(name === "lua" ? data.replaceAll("\t", "") : data)).toBeNull();
    if (name === "vcd") expect(text.split("\n")[0]?.match(/\$end/g)).toHaveLength(1);
    if (name === "svg")
      expect(text.replace(/<\/?[a-z]+( [a-z][a-z0-9:-]*="[^"<>]*")*\/?>/gi, "")).not.toMatch(/[<>]/);
  });

  test.each<string[]>([
    [],
    ["--event", "console,fault,sent,DAT"],
    ["--clocks"],
    ["--json"],
    ["--json", "--tail", "9"],
  ])("is shown by log %j without one", async (...options) => {
    const { stdout, stderr } = await ringlab("log", file, ...options);
    expect(stdout.length).toBeGreaterThan(20);
    expect(CONTROLS.exec(stdout + stderr)).toBeNull();
    if (options.includes("--json")) expect(() => JSON.parse(stdout)).not.toThrow();
  });
});

test("what is asked for in a hostile way is refused without a control character", async () => {
  const name = HOSTILE.replaceAll("\0", "").replaceAll("/", "");
  writeFileSync(join(dir, name), "no run");
  for (const args of [
    [name],
    ["run", name],
    ["run", "--stations", name],
    ["run", "--at", name],
    ["run", "--script", name],
    ["run", "--log", join(dir, name)],
    ["run", "--election", name],
    ["run", "--ids", name],
    ["run", "--ports", name],
    ["run", `--${name}`],
    ["elect", "--algorithm", name],
    ["mutex", "--algorithm", name],
    ["compare", "--bench", name],
    ["compare", "--algorithms", name],
    ["log", join(dir, name)],
    ["log", name],
    ["replay", join(dir, name)],
    ["export", join(dir, name), "--to", name],
    ["compare-capture", name, name],
    ["watch", name, name],
    ["flash", "--ports", `${name},${name}`],
    ["emulate", "--dir", join(dir, name)],
    ["discover", "--ports", name],
  ]) {
    const { code, stdout, stderr } = await ringlab(...args);
    expect([args[0], code, CONTROLS.exec(stdout + stderr)]).toEqual([args[0], 2, null]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
});

test("only one file of the program writes to stdout and stderr, and it lets no control character through", () => {
  const allowed = ["src/cli/terminal.ts"];
  const direct =
    /process\.(?:stdout|stderr)\.write|\bconsole\.(?:log|error|warn)\(|#out\.write\(|#people\.write\(|\bout\.write\(/;
  const wrong = filesIn("src")
    .filter((path) => path.endsWith(".ts") && !allowed.includes(path) && !path.startsWith("src/page/"))
    .flatMap((path) =>
      read(path)
        .split("\n")
        .flatMap((line, i) => (direct.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    );
  expect(wrong).toEqual([]);
  const said: string[] = [];
  const out = { write: (text: string) => said.push(text) } as unknown as NodeJS.WriteStream;
  print(`${HOSTILE}\n`, out);
  printJson({ [HOSTILE]: HOSTILE }, out);
  expect(CONTROLS.exec(said.join(""))).toBeNull();
  expect(JSON.parse(said[1] as string)).toEqual({ [HOSTILE]: HOSTILE });
});

test("of a million refused frames a few lines are shown, and how many were not", () => {
  const floods = new Floods();
  const lines = Array.from({ length: 1_000_000 }, () => floods.take("bad", "3")).filter(
    (more) => more !== null,
  );
  expect(lines).toHaveLength(25);
  expect(lines.slice(-2)).toEqual([" (100000 by now)", " (1000000 by now)"]);
  expect(floods.take("enter", "3")).toBe("");
  expect(floods.leftOut()).toEqual(['3: 1000000 times "bad", 999975 of them not shown']);
});
