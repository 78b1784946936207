import { describe, expect, test } from "vitest";
import { carrierHint, explainSerial, explainTcp, LinkError, type PortAccess } from "../../src/link/errors.ts";

interface Where {
  path?: string;
  platform?: NodeJS.Platform;
  access?: PortAccess;
}

function serial(
  raw: string,
  { path = "/dev/ttyACM0", platform = "linux", access }: Where = {},
): [string, string] {
  const context = { path, platform, baudRate: 57_601, access: () => access };
  const { code, message } = explainSerial(new Error(raw), context);
  return [code, message];
}

/** Texts of serialport 13 (bindings-cpp 13, serialport_unix.cpp and serialport_win.cpp). */
describe("what serialport says becomes one clear line", () => {
  test("a path that is not there", () => {
    const raw = "Error: No such file or directory, cannot open /dev/ttyACM0";
    expect(serial(raw)).toEqual([
      "missing",
      '/dev/ttyACM0: no such port. Is the board plugged in? "ringlab ports" lists the ports',
    ]);
    expect(serial("Opening COM3: File not found", { path: "COM3", platform: "win32" })[0]).toBe("missing");
  });

  test("a Windows name elsewhere", () => {
    const raw = "Error: No such file or directory, cannot open COM3";
    expect(serial(raw, { path: "COM3" })[1]).toBe(
      "COM3: no such port. COM names are for Windows, a port here looks like /dev/ttyACM0",
    );
    expect(serial(raw, { path: "COM3", platform: "darwin" })[1]).toContain("/dev/cu.usbmodem101");
  });

  describe("permission denied (WP-01): the group is that of the port, dialout here and uucp there", () => {
    const raw = "Error: Permission denied, cannot open /dev/ttyACM0";

    test.each(["dialout", "uucp"])("not a member of %s", (group) => {
      expect(serial(raw, { access: { group, mode: 0o660, listed: false } })).toEqual([
        "denied",
        `/dev/ttyACM0: permission denied. It belongs to group ${group}: run "sudo usermod -aG ${group} $USER", then log out and in again`,
      ]);
    });

    test("a member since the last login", () => {
      expect(serial(raw, { access: { group: "uucp", mode: 0o660, listed: true } })[1]).toBe(
        "/dev/ttyACM0: permission denied. It belongs to group uucp and you are in it, but not in this session: log out and in again",
      );
    });

    test("a mode that keeps the group out", () => {
      expect(serial(raw, { access: { group: "root", mode: 0o600, listed: false } })[1]).toBe(
        '/dev/ttyACM0: permission denied. It belongs to group root, its mode 600 gives the group no access: run "sudo chmod 660 /dev/ttyACM0"',
      );
    });

    test("nothing known of the port", () => {
      expect(serial(raw)[1]).toBe(
        "/dev/ttyACM0: permission denied. Ask whoever owns it, or check its rights",
      );
    });
  });

  test.each([
    [
      "Error Resource temporarily unavailable Cannot lock port",
      "linux",
      'find it with "fuser -v /dev/ttyACM0"',
    ],
    [
      "Error: Device or resource busy, cannot open /dev/ttyACM0",
      "linux",
      'find it with "fuser -v /dev/ttyACM0"',
    ],
    ["Error Resource temporarily unavailable Cannot lock port", "darwin", 'find it with "lsof /dev/ttyACM0"'],
    ["Opening COM3: Access denied", "win32", "close serial monitors and IDEs that have it open"],
  ] as const)("in use (WP-02): %s on %s", (raw, platform, advice) => {
    const [code, message] = serial(raw, { platform });
    expect(code).toBe("busy");
    expect(message).toContain("/dev/ttyACM0: in use by another program");
    expect(message).toContain(advice);
  });

  test.each([
    ["Error: Inappropriate ioctl for device || while retrieving termios2 info", "not-a-tty"],
    ["Error Inappropriate ioctl for device Cannot open /dev/null", "not-a-tty"],
    ["Error: Is a directory, cannot open /dev", "not-a-tty"],
    ["Error: No such device or address, cannot open /dev/ttyACM0", "missing"],
    ["Error: Input/output error, cannot open /dev/ttyACM0", "missing"],
    ["Error: Invalid argument || while setting custom baud rate of 57601", "bad-setting"],
    ["something new", "failed"],
  ])("%s: %s", (raw, code) => {
    const [got, message] = serial(raw);
    expect(got).toBe(code);
    expect(message).toMatch(/^\/dev\/ttyACM0: .{20,}|did not open: something new$/);
  });
});

describe("what a socket says becomes one clear line", () => {
  test.each([
    ["ECONNREFUSED", "refused", "connection refused: is ser2net running on lab, with port 4001?"],
    ["ENOTFOUND", "unreachable", "no computer named lab is known: check the name, or give its address"],
    ["EAI_AGAIN", "unreachable", "no computer named lab is known: check the name, or give its address"],
    ["EHOSTUNREACH", "unreachable", "no way to lab: is it on, and on this network?"],
    ["ENETUNREACH", "unreachable", "no way to lab: is it on, and on this network?"],
    ["ETIMEDOUT", "timeout", "no answer from lab: is it on, and does a firewall let port 4001 through?"],
    ["ECONNRESET", "gone", "the server closed the connection at once: does another program use its port?"],
    ["EWHATEVER", "failed", "did not connect: raw text"],
  ])("%s", (code, expected, words) => {
    const cause = Object.assign(new Error("raw text"), { code });
    const error = explainTcp("tcp://lab:4001", "lab", 4001, cause);
    expect([error.code, error.message]).toEqual([expected, `tcp://lab:4001: ${words}`]);
  });
});

describe("a message", () => {
  test("stays on one line and in bounds whatever the path and the cause hold", () => {
    const error = new LinkError("failed", `/dev/${"x".repeat(5000)}\n\x1b[2J`, "words");
    expect(error.message.length).toBeLessThan(300);
    const nasty = explainSerial(new Error(`\x1b]0;title\x07\n${"y".repeat(5000)}`), {
      path: "/dev/a\nb",
      platform: "linux",
      baudRate: 9600,
      access: () => undefined,
    });
    expect(nasty.message).not.toMatch(/[\x00-\x1f]/);
    expect(nasty.message.length).toBeLessThan(500);
  });

  test("ends a command with exit code 2", () => {
    expect(new LinkError("missing", "/dev/ttyACM0", "no such port").exitCode).toBe(2);
  });

  test("of a port that did not open in time names the cu. path on macOS (PN-01)", () => {
    expect(LinkError.late("/dev/tty.usbmodem1", 5000).message).toBe(
      "/dev/tty.usbmodem1: did not open within 5000 ms: it waits for a carrier signal, use /dev/cu.usbmodem1",
    );
    expect(LinkError.late("tcp://lab:4001", 5000).message).toContain("no answer within 5000 ms");
    expect(carrierHint("/dev/cu.usbmodem1")).toBeUndefined();
  });
});
