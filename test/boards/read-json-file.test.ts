import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { MAX_FILE_BYTES, readJsonFile } from "../../src/bench-file/read-json-file.ts";
import { UsageError } from "../../src/errors.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "ringlab-json-")));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, "b.json");

function read(file: string) {
  return readJsonFile(file, "bench file");
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.message).not.toMatch(/[\r\n]/);
    return error.message.replaceAll(`${folder}/`, "");
  }
  return "taken";
}

function refusal(content: string | Buffer): string {
  writeFileSync(path, content);
  return messageOf(() => read(path));
}

describe("the place of a value", () => {
  test("is the line it starts on; of a value that is not there, the line of the one around it", () => {
    writeFileSync(path, '{\n "a": [\n  {"b": 1}\n ],\n "odd key": 2\n}');
    const { place } = read(path);
    const line = (at: string) => Number(place(at).slice(`${path}:`.length));
    expect(["", "a", "a[0]", "a[0].b", "a[0].c", "a[0].c.d", "a[7]", '["odd key"]', "x"].map(line)).toEqual([
      1, 2, 3, 3, 3, 3, 2, 5, 1,
    ]);
  });
});

describe("a file that is no JSON text", () => {
  test.each<[string, string | Buffer, string]>([
    ["not JSON", "{\n  nodes: 3\n}", "b.json:2:3: not JSON: expected a key in double quotes at nodes: 3"],
    ["empty", "", "b.json:1:1: not JSON: expected a value, but the text ends"],
    [
      "a key given twice",
      '{\n"title": "a",\n"title": "b"\n}',
      'b.json:3:1: not JSON: key "title" is given twice',
    ],
    [
      "UTF-16",
      Buffer.from('\ufeff{"title": "t"}', "utf16le"),
      'bench file "b.json" is not UTF-8 text: save it as UTF-8',
    ],
    ["binary", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff]), "is not UTF-8 text"],
    ["too large", Buffer.alloc(MAX_FILE_BYTES + 1, " "), "is too large: the limit is 1048576 bytes"],
  ])("%s", (_, content, message) => {
    expect(refusal(content)).toContain(message);
  });

  test.each([
    ["missing", join(folder, "nothing.json"), 'bench file "nothing.json" does not exist'],
    ["under a file", join(path, "x.json"), "does not exist: a part of its path is not a folder"],
    ["a folder", folder, "is a folder: name a file in it"],
    ["with NUL in its name", "a\u0000b", 'bench file "a\\x00b" is not a path'],
    ["with a name beyond all bounds", `/${"x".repeat(5000)}`, "cannot be read: the name is too long"],
    ["without a name", "", 'bench file "" does not exist'],
    ["a device without an end", "/dev/zero", 'bench file "/dev/zero" is not a regular file'],
  ])("%s", (_, file, message) => {
    writeFileSync(path, "{}");
    expect(messageOf(() => read(file))).toContain(message);
  });

  test("a named pipe that nobody writes to does not hang", () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(messageOf(() => read(pipe))).toBe('bench file "pipe" is not a regular file');
  });

  test("links that go round in a circle", () => {
    mkdirSync(join(folder, "links"));
    symlinkSync("b", join(folder, "links", "a"));
    symlinkSync("a", join(folder, "links", "b"));
    expect(messageOf(() => read(join(folder, "links", "a")))).toContain(
      "its symbolic links go round in a circle",
    );
  });

  test("a file that may not be read", () => {
    writeFileSync(path, "{}");
    chmodSync(path, 0);
    // Root may read everything, so it becomes somebody else for the while.
    const root = process.geteuid?.() === 0;
    if (root) process.seteuid?.(65_534);
    try {
      expect(messageOf(() => read(path))).toBe('bench file "b.json" cannot be read: permission denied');
    } finally {
      if (root) process.seteuid?.(0);
      chmodSync(path, 0o600);
    }
  });
});
