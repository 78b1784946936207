import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkTo, parsePath, samePort } from "../../src/link/open.ts";

describe("a path", () => {
  test.each([
    ["COM3", "COM3"],
    ["com27", "COM27"],
    ["COM10", "COM10"],
    ["\\\\.\\COM12", "COM12"],
    ["//./com12", "COM12"],
    ["COM7:", "COM7"],
    [" COM3 ", "COM3"],
  ])("%s on Windows is %s (PN-02)", (text, path) => {
    expect(parsePath(text, "win32")).toEqual({ kind: "serial", path });
  });

  test("on Windows that is no COM name stays as it is", () => {
    expect(parsePath("\\\\.\\CNCA0", "win32")).toEqual({ kind: "serial", path: "\\\\.\\CNCA0" });
  });

  test("/dev/tty.* on macOS is taken, with the hint to use /dev/cu.* (PN-01)", () => {
    expect(parsePath("/dev/tty.usbmodem1", "darwin")).toEqual({
      kind: "serial",
      path: "/dev/tty.usbmodem1",
      hint: "it waits for a carrier signal, use /dev/cu.usbmodem1",
    });
    expect(parsePath("/dev/cu.usbmodem1", "darwin")).not.toHaveProperty("hint");
    expect(parsePath("/dev/tty.usbmodem1", "linux")).not.toHaveProperty("hint");
  });

  test.each([
    ["tcp://192.168.1.20:4001", "192.168.1.20", 4001, "tcp://192.168.1.20:4001"],
    ["TCP://Lab-PC:4001/", "lab-pc", 4001, "tcp://lab-pc:4001"],
    ["tcp://[::1]:23", "::1", 23, "tcp://[::1]:23"],
  ])("%s is host and port", (text, host, port, path) => {
    expect(parsePath(text)).toEqual({ kind: "tcp", host, port, path });
  });

  test.each([
    ["", /^: an empty path: give a port/],
    ["  ", /an empty path/],
    ["/dev/tty\0USB0", /NUL character/],
    ["tcp://", /not understood: write tcp:\/\/host:port/],
    ["tcp://lab", /not understood/],
    ["tcp://lab:", /not understood/],
    ["tcp://:4001", /not understood/],
    ["tcp://lab:4001/x", /not understood/],
    ["tcp://user@host:1:2", /not understood/],
    ["tcp://lab:0", /port 0 does not exist: give one from 1 to 65535/],
    ["tcp://lab:65536", /port 65536 does not exist/],
    [
      "udp://lab:4001",
      /links of the kind udp are not known: give a port, tcp:\/\/host:port or mqtt:\/\/host\/ring\/id/,
    ],
    ["telnet://lab", /links of the kind telnet are not known/],
  ])("%j is refused with what to write instead", (text, message) => {
    expect(() => parsePath(text)).toThrow(message);
  });

  test("makes a link of its kind, not yet open, whether listed or not (WP-11)", () => {
    expect(linkTo("tcp://lab:4001", { baudRate: 9600 })).toMatchObject({
      path: "tcp://lab:4001",
      state: "closed",
    });
    expect(linkTo("/dev/pts/999")).toMatchObject({ path: "/dev/pts/999", state: "closed" });
    expect(() => linkTo("tcp://lab")).toThrow(/not understood/);
  });
});

describe("two paths", () => {
  let dir: string;
  const at = (name: string) => join(dir, name);

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "ringlab-paths-"));
    writeFileSync(at("ttyACM0"), "");
    writeFileSync(at("ttyACM1"), "");
    symlinkSync("ttyACM0", at("usb-Espruino_Pico_00000000001A-if00"));
    symlinkSync(at("usb-Espruino_Pico_00000000001A-if00"), at("my-board"));
  });

  afterAll(() => rmSync(dir, { recursive: true }));

  test("name one port when a by-id link or a chain of symlinks leads from one to the other (PN-07)", () => {
    expect(samePort(at("ttyACM0"), at("usb-Espruino_Pico_00000000001A-if00"))).toBe(true);
    expect(samePort(at("my-board"), at("usb-Espruino_Pico_00000000001A-if00"))).toBe(true);
    expect(samePort(at("my-board"), at("ttyACM1"))).toBe(false);
  });

  test.each([
    ["COM3", "com3", true],
    ["COM12", "\\\\.\\COM12", true],
    ["COM1", "COM10", false],
    ["/dev/tty.usbmodem1", "/dev/cu.usbmodem1", true],
    ["/dev/cu.usbmodem1", "/dev/cu.usbmodem2", false],
    ["tcp://Lab:4001", "tcp://lab:4001", true],
    ["tcp://lab:4001", "tcp://lab:4002", false],
    ["/dev/not-there", "/dev/not-there", true],
    ["/dev/not-there", "/dev/nor-this", false],
  ])("%s and %s: %s", (a, b, same) => {
    expect(samePort(a, b)).toBe(same);
  });
});
