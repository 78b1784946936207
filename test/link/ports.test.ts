import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { classify, listPorts, type RawPort } from "../../src/link/ports.ts";
import { serialLink } from "../../src/link/serial.ts";
import { toolTest } from "../tools.ts";
import { ptyPair } from "./pty.ts";

const pico = (path: string, serialNumber: string): RawPort => ({
  path,
  vendorId: "0483",
  productId: "5740",
  serialNumber,
});

describe("a listed port", () => {
  test.each([
    [{ vendorId: "0483", productId: "5740" }, "board", "Espruino Pico/WiFi/Original (USB id 0483:5740)"],
    [{ vendorId: "2E8A", productId: "000A" }, "board", "Raspberry Pi Pico (USB id 2e8a:000a)"],
    [{ vendorId: "1a86", productId: "7523" }, "bridge", "CH340 USB to serial chip (USB id 1a86:7523)"],
    [{ vendorId: "2341", productId: "0043" }, "panel", "Arduino Uno R3 (USB id 2341:0043)"],
    [
      { vendorId: "0483", productId: "df11" },
      "boot-loader",
      "STM32 in its DFU boot loader (USB id 0483:df11)",
    ],
    [
      { vendorId: "1234", productId: "5678", manufacturer: "Espruino" },
      "board",
      "its maker is Espruino (USB id 1234:5678)",
    ],
    [
      { vendorId: "1234", productId: "5678", manufacturer: "Acme\x1b[2J" },
      "usb",
      'not known (USB id 1234:5678, made by "Acme\\x1b[2J")',
    ],
    [{ vendorId: "", productId: "" }, "plain", "no USB id: built in, virtual, or not known"],
    [{}, "plain", "no USB id: built in, virtual, or not known"],
  ] as const)("%j is taken for a %s, with the reason in words", (ids, kind, why) => {
    expect(classify([{ path: "/dev/x", ...ids }])).toMatchObject([{ kind, why }]);
  });

  test("that belongs to the system is no board", () => {
    const [port] = classify([{ path: "/dev/cu.Bluetooth-Incoming-Port" }]);
    expect(port).toMatchObject({ kind: "other", why: "a service of the system, no board" });
  });

  test("stands before those that are less likely, and by number among its like", () => {
    const paths = classify([
      { path: "/dev/ttyS0" },
      { path: "/dev/ttyUSB0", vendorId: "10c4", productId: "ea60" },
      pico("/dev/ttyACM10", "1"),
      { path: "/dev/ttyACM3", vendorId: "2341", productId: "0043" },
      pico("/dev/ttyACM2", "2"),
    ]).map(({ path }) => path);
    expect(paths).toEqual(["/dev/ttyACM2", "/dev/ttyACM10", "/dev/ttyUSB0", "/dev/ttyACM3", "/dev/ttyS0"]);
  });

  test("is known by its serial number only where that is its own", () => {
    const unique = (...ports: RawPort[]) => classify(ports).map((port) => port.unique);
    expect(unique(pico("a", "48D1"), pico("b", "48D2"))).toEqual([true, true]);
    expect(unique(pico("a", "48D1"), pico("b", "48D1"))).toEqual([false, false]);
    // The factory build of the STM32 boards gives every board this one.
    expect(unique(pico("a", "00000000001A"))).toEqual([false]);
    expect(unique({ path: "a" })).toEqual([false]);
  });
});

describe("the list", () => {
  const withoutUdev = { list: () => Promise.reject(new Error("spawn udevadm ENOENT")) };

  test("without udevadm is made of the names in /dev, with a warning", async () => {
    const names = () => ["null", "ttyACM1", "ttyS0", "ttyUSB0", "cu.usbmodem1", "tty.usbmodem1"];
    const { ports, warning } = await listPorts({ ...withoutUdev, names });
    expect(ports.map(({ path, why }) => [path, why])).toEqual([
      ["/dev/cu.usbmodem1", "on USB by its name"],
      ["/dev/ttyACM1", "on USB by its name"],
      ["/dev/ttyUSB0", "on USB by its name"],
    ]);
    expect(warning).toBe(
      "the system does not list its ports (spawn udevadm ENOENT): USB ids and unusual names are not shown",
    );
  });

  describe("of this computer", () => {
    const path = process.env.PATH;
    beforeEach(() => {
      // udevadm is nowhere on this path, installed or not.
      process.env.PATH = [join("/", "nowhere")].join(delimiter);
    });
    afterEach(() => {
      process.env.PATH = path;
    });

    test("comes without udevadm too", async () => {
      const { ports } = await listPorts();
      expect(Array.isArray(ports)).toBe(true);
    });
  });

  toolTest(["socat"])("does not have a pseudo terminal, which opens all the same (WP-11)", async () => {
    const pair = await ptyPair();
    const { ports } = await listPorts();
    expect(ports.map((port) => port.path)).not.toContain(pair.a);
    const link = serialLink(pair.a);
    await link.open();
    expect(link.state).toBe("open");
    await link.close();
    await pair.end();
  });
});
