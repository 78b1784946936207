import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { portKey, portKind, resolvePort } from "../../src/bench-file/port.ts";
import { UsageError } from "../../src/errors.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "ringlab-port-")));
writeFileSync(join(folder, "board"), "");
symlinkSync("board", join(folder, "by-id"));
symlinkSync(folder, join(folder, "round"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the kind of a port", () => {
  test.each([
    ["emulated", "emulated"],
    ["simulated", "simulated"],
    ["tcp://localhost:2001", "tcp"],
    ["/dev/ttyACM0", "serial"],
    ["COM3", "serial"],
  ])("%s is %s", (port, kind) => {
    expect(portKind(port)).toBe(kind);
  });
});

describe("two names of one port have one key", () => {
  test.each([
    [["COM10", "com10", "\\\\.\\COM10", "\\\\?\\com10"], "COM10"],
    [["/dev/tty.usbmodem1", "/dev/cu.usbmodem1"], "/dev/cu.usbmodem1"],
    [["tcp://Lab:2001", "TCP://lab:2001", "tcp://lab:2001/"], "tcp://lab:2001"],
    [["tcp://lab:80", "tcp://lab:080"], "tcp://lab:80"],
    [[join(folder, "board"), join(folder, "by-id"), join(folder, "round", "by-id")], join(folder, "board")],
    [["/dev/not-there", "/dev/./not-there"], "/dev/not-there"],
  ])("%j", (names, key) => {
    for (const name of names) expect(portKey(name)).toBe(key);
  });

  test("and two ports have two", () => {
    const ports = [
      "COM1",
      "COM10",
      "/dev/ttyACM0",
      "/dev/ttyACM1",
      "tcp://lab:1",
      "tcp://lab:2",
      "tcp://bal:1",
    ];
    expect(new Set(ports.map(portKey)).size).toBe(ports.length);
  });
});

describe("a port as it is opened", () => {
  test.each([
    ["/dev/ttyACM0", "/dev/ttyACM0"],
    ["ring/a", "/lab/ring/a"],
    ["./a", "/lab/a"],
    ["../a", "/a"],
    ["COM12", "COM12"],
    ["\\\\.\\COM12", "\\\\.\\COM12"],
    ["tcp://[::1]:2001", "tcp://[::1]:2001"],
    ["emulated", "emulated"],
  ])("%s is %s", (port, opened) => {
    expect(resolvePort(port, "/lab")).toBe(opened);
  });

  test.each([
    ["emulatd", '"emulatd" is no port: did you mean "emulated"?'],
    ["Simulated", 'did you mean "simulated"?'],
    ["ttyACM0", 'write a whole path ("/dev/ttyACM0"), "COM3", or "./ttyACM0"'],
    ["COM0", "is no port"],
    ["tcp://lab", "write tcp://host:port with a port from 1 to 65535"],
    ["tcp://lab:0", "write tcp://host:port"],
    ["tcp://lab:70000", "write tcp://host:port"],
    ["tcp://:2001", "write tcp://host:port"],
    ["tcp://me@lab:2001", "write tcp://host:port"],
    ["tcp://lab:2001/x", "write tcp://host:port"],
  ])("%s is refused", (port, message) => {
    expect(() => resolvePort(port, "/lab")).toThrow(UsageError);
    expect(() => resolvePort(port, "/lab")).toThrow(message);
  });
});
