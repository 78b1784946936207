import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SerialPort } from "serialport";
import { afterEach, beforeEach, describe, expect, test as plainTest } from "vitest";
import type { Link } from "../../src/link/link.ts";
import { type Port, type PortMaker, type SerialOptions, serialLink } from "../../src/link/serial.ts";
import { findTool, toolTest } from "../tools.ts";
import { linkContract } from "./contract.ts";
import { type PtyPair, ptyPair } from "./pty.ts";
import type { Peer } from "./rig.ts";
import { LimitTime, settle, until } from "./time.ts";

/** Opens a terminal without the link's help, as the board at the far end. */
async function openBoard(path: string): Promise<SerialPort> {
  const board = new SerialPort({ path, baudRate: 115_200, autoOpen: false });
  board.on("error", () => {});
  await new Promise<void>((resolve, reject) => board.open((error) => (error ? reject(error) : resolve())));
  return board;
}

async function closeBoard(board: SerialPort | undefined): Promise<void> {
  if (board?.isOpen) await new Promise((resolve) => board.close(resolve));
}

linkContract("serial", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringlab-serial-"));
  let pair: PtyPair | undefined = await ptyPair(folder);
  let board: SerialPort | undefined;
  const unplug = async () => {
    await pair?.end();
    pair = undefined;
  };
  return {
    link: (options) => serialLink(join(folder, "a"), options),
    async peer(): Promise<Peer> {
      const port = await openBoard(join(folder, "b"));
      board = port;
      let received = "";
      return {
        send: (bytes) => new Promise((resolve) => port.write(Buffer.from(bytes), () => resolve())),
        received: () => received,
        read() {
          port.on("data", (bytes: Buffer) => {
            received += bytes.toString("latin1");
          });
        },
      };
    },
    unplug,
    async plug() {
      pair = await ptyPair(folder);
    },
    async end() {
      await closeBoard(board);
      await unplug();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}, ["socat"]);

const test = toolTest(["socat"]);

describe("a serial port", () => {
  let pair: PtyPair;
  const links: Link[] = [];
  const linkTo = (path: string, options?: SerialOptions, makePort?: PortMaker) => {
    const link = serialLink(path, options, makePort);
    links.push(link);
    return link;
  };

  beforeEach(async () => {
    pair = await ptyPair();
  });

  afterEach(async () => {
    await Promise.all(links.map((link) => link.close()));
    links.length = 0;
    await pair.end();
  });

  test("that another program holds is busy, and the message says how to find that (WP-02)", async () => {
    await linkTo(pair.a).open();
    await expect(linkTo(pair.a).open()).rejects.toMatchObject({
      code: "busy",
      message: `${pair.a}: in use by another program: find it with "fuser -v ${pair.a}" and close it`,
    });
  });

  test("that is free again after a close can be opened by somebody else at once", async () => {
    const first = linkTo(pair.a);
    const second = linkTo(pair.a);
    for (let i = 0; i < 20; i++) {
      await first.open();
      await first.close();
      await second.open();
      await second.close();
    }
  });

  test("that is not there is said to be missing", async () => {
    await expect(linkTo("/dev/ttyACM99").open()).rejects.toMatchObject({
      code: "missing",
      message: '/dev/ttyACM99: no such port. Is the board plugged in? "ringlab ports" lists the ports',
    });
  });

  for (const path of ["/dev/null", tmpdir()]) {
    test(`is not ${path}`, async () => {
      await expect(linkTo(path).open()).rejects.toMatchObject({
        code: "not-a-tty",
        message: `${path}: not a serial port: give the path of a board, such as /dev/ttyACM0`,
      });
    });
  }

  for (const baudRate of [0, -1, 1.5, Number.NaN]) {
    test(`does not run at ${baudRate} baud`, async () => {
      await expect(linkTo(pair.a, { baudRate }).open()).rejects.toMatchObject({
        code: "bad-setting",
        message: `${pair.a}: there is no ${baudRate} baud: try 9600 or 115200`,
      });
    });
  }

  describe("without permission (WP-01)", () => {
    // Root may open everything, so as root the link is opened by a process of somebody else.
    const isRoot = process.getuid?.() === 0;
    const nobody = 65_534;
    const script = `
      import { serialLink } from ${JSON.stringify(new URL("../../src/link/serial.ts", import.meta.url).href)};
      serialLink(process.argv[1]).open().then(() => console.log("opened"), (error) => console.log(error.message));
    `;

    const opened = (path: string) => {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ["--import", "tsx", "--input-type=module", "--eval", script, path],
        { encoding: "utf8", ...(isRoot && { uid: nobody, gid: nobody }) },
      );
      return stdout.trim() || stderr;
    };

    plainTest.skipIf(!findTool("socat"))(
      "says which group the port belongs to, and to log in again",
      (context) => {
        const canTry = !isRoot || opened("/dev/null").includes("/dev/null: not a serial port");
        context.skip(!canTry, "another user cannot run this code here, and root is never denied");
        const path = realpathSync(pair.a);
        const group = readFileSync("/etc/group", "utf8")
          .split("\n")
          .find((line) => line.startsWith("dialout:"));
        if (isRoot && group) {
          chownSync(path, 0, Number(group.split(":")[2]));
          chmodSync(path, 0o660);
          expect(opened(path)).toBe(
            `${path}: permission denied. It belongs to group dialout: run "sudo usermod -aG dialout $USER", then log out and in again`,
          );
        }
        chmodSync(path, 0o000);
        expect(opened(path)).toMatch(
          /permission denied\. It belongs to group \S+, its mode 000 gives the group no/,
        );
      },
    );
  });

  test("is opened with its modem lines stated and without a reset at the next opening (RO-01, RO-02)", async () => {
    const calls: unknown[] = [];
    const recording = (options: Parameters<PortMaker>[0]): Port => {
      const { path: _, ...rest } = options;
      calls.push(rest);
      const port = new SerialPort(options);
      const set = port.set.bind(port);
      port.set = (flags, callback) => {
        calls.push(flags);
        set(flags, callback);
      };
      return port;
    };
    await linkTo(pair.a, {}, recording).open();
    await linkTo(
      pair.b,
      { hupcl: true, dtr: false, rts: false, baudRate: 9600, lock: false },
      recording,
    ).open();
    const flow = { rtscts: false, xon: false, xoff: false, xany: false, autoOpen: false };
    expect(calls).toEqual([
      { baudRate: 115_200, hupcl: false, lock: true, ...flow },
      { dtr: true, rts: true, brk: false },
      { baudRate: 9600, hupcl: true, lock: false, ...flow },
      { dtr: false, rts: false, brk: false },
    ]);
  });

  test("that got an XOFF and never an XON is written to all the same (FO-05)", async () => {
    const link = linkTo(pair.a);
    const lines: string[] = [];
    link.listener = { onLine: (text) => lines.push(text) };
    const board = await openBoard(pair.b);
    let received = "";
    board.on("data", (bytes: Buffer) => {
      received += bytes.toString("latin1");
    });
    await link.open();
    board.write("\x13 2v29 booted\n");
    await until(() => lines.length === 1, "the banner");
    expect(link.write("station.request()\n")).toBe(true);
    await until(() => received === "station.request()\n", "what was written");
    expect(lines).toEqual([" 2v29 booted"]);
    expect(link.counters.flowControl).toBe(1);
    await closeBoard(board);
  });

  describe("that does not open in time", () => {
    /** Ports whose opening is held back until `release`, as macOS does with a tty. path that waits for a carrier. */
    function heldBack(): { makePort: PortMaker; release(): void; closed: Promise<void> } {
      let release = () => {};
      let onClosed = () => {};
      const closed = new Promise<void>((resolve) => {
        onClosed = resolve;
      });
      const makePort: PortMaker = (options) => {
        const port = new SerialPort(options);
        const open = port.open.bind(port);
        port.on("close", () => onClosed());
        port.open = (callback) => {
          release = () => open(callback);
        };
        return port;
      };
      return { makePort, release: () => release(), closed };
    }

    test("fails with the limit named, and is closed when it opens after all", async () => {
      const limits = new LimitTime();
      const port = heldBack();
      const link = linkTo(pair.a, { timers: limits.timers }, port.makePort);
      const opening = link.open();
      await settle();
      limits.expire();
      await expect(opening).rejects.toMatchObject({
        code: "timeout",
        message: `${pair.a}: did not open within 5000 ms: unplug the board, plug it in and try again`,
      });
      port.release();
      await port.closed;
      await linkTo(pair.a).open();
    });

    test("is free again once a close that came meanwhile is through", async () => {
      const port = heldBack();
      const link = linkTo(pair.a, {}, port.makePort);
      const opening = link.open();
      await settle();
      const closing = link.close();
      await expect(opening).rejects.toMatchObject({ code: "closed" });
      port.release();
      await closing;
      await linkTo(pair.a).open();
    });
  });

  test("leaves no listener on the ports of earlier connections", async () => {
    const ports: SerialPort[] = [];
    const link = linkTo(pair.a, {}, (options) => {
      const port = new SerialPort(options);
      ports.push(port);
      return port;
    });
    for (let i = 0; i < 3; i++) {
      await link.open();
      await link.close();
    }
    expect(ports).toHaveLength(3);
    expect(ports.map((port) => port.listenerCount("data"))).toEqual([0, 0, 0]);
    expect(ports.map((port) => port.isOpen)).toEqual([false, false, false]);
  });
});
