/** What goes wrong when ports are opened: one clear message each, or a recovery within a bound. Over real terminals where a port is opened. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SerialPort } from "serialport";
import { describe, expect, onTestFinished } from "vitest";
import { boundOf } from "../../../src/check/bounds.ts";
import { emulatedBoard, emulatedFirmware, flashed } from "../../../src/host/bench/emulated-board.ts";
import { type EmulatedTtysOptions, emulateTtys } from "../../../src/host/bench/emulated-ttys.ts";
import { probePort } from "../../../src/host/console/probe-port.ts";
import { BoardStation } from "../../../src/host/ring/board-station.ts";
import { answerMs, silenceMs } from "../../../src/host/ring/silence-watch.ts";
import { linkTo } from "../../../src/link/open.ts";
import { limitsOf } from "../../../src/simulation/plan.ts";
import { ptyPair } from "../../link/pty.ts";
import { toolTest } from "../../tools.ts";
import { INFO, peer, stationAnswers } from "../peer.ts";
import { benchOf, TestRing } from "../rings.ts";

const ttyTest = toolTest(["socat"]);

async function boards(options: Partial<EmulatedTtysOptions> = {}) {
  const dir = mkdtempSync(join(tmpdir(), "ringlab-test-"));
  const ttys = await emulateTtys({ stations: 1, dir, ...options });
  onTestFinished(async () => {
    await ttys.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  return ttys;
}

/** The far end of a terminal, which says what `answer` gives to each chunk. */
async function farEnd(
  answer: (text: string) => string | undefined,
): Promise<{ path: string; port: SerialPort }> {
  const pair = await ptyPair();
  const port = new SerialPort({ path: pair.b, baudRate: 115_200 });
  port.on("error", () => {});
  await once(port, "open");
  port.on("data", (chunk: Buffer) => {
    const said = answer(chunk.toString("latin1"));
    if (said !== undefined) port.write(said, "latin1");
  });
  onTestFinished(async () => {
    await new Promise((resolve) => port.close(resolve));
    await pair.end();
  });
  return { path: pair.a, port };
}

/** What is wrong with a ring of these ports, in words. */
async function refusal(...ports: string[]): Promise<string> {
  const bench = benchOf(ports);
  try {
    const ring = await TestRing.open(bench, false);
    await ring.stop();
    return "nothing is wrong";
  } catch (error) {
    expect((error as { exitCode?: number }).exitCode).toBe(2);
    const { message } = error as Error;
    expect(message).not.toContain("\n");
    return message;
  }
}

describe("a port that is no ring station: one line, exit 2", () => {
  ttyTest("the path is missing", async () => {
    expect(await refusal("/dev/there-is-none")).toBe(
      '/dev/there-is-none: no such port. Is the board plugged in? "ringlab ports" lists the ports',
    );
  });

  ttyTest("each of two missing ports is named", async () => {
    const words = await refusal("/dev/none-1", "/dev/none-2");
    expect(words).toContain("/dev/none-1: no such port");
    expect(words).toContain("/dev/none-2: no such port");
  });

  ttyTest("the port is busy", async () => {
    const pair = await ptyPair();
    onTestFinished(() => pair.end());
    const link = linkTo(pair.a);
    await link.open();
    onTestFinished(() => link.close());
    const words = await refusal(pair.a);
    expect(words).toBe(
      `${pair.a}: in use by another program: find it with "fuser -v ${pair.a}" and close it`,
    );
  });

  // Together, since each waits as long as a board that boots, or sits in the middle of a packet, may need.
  ttyTest(
    "it opens, and nothing answers: silence, nobody who reads, or the junk of a wrong baud rate",
    async () => {
      const silent = await farEnd(() => undefined);
      const unread = await ptyPair();
      onTestFinished(() => unread.end());
      const babbling = await farEnd(() => undefined);
      const bytes = Buffer.from([0xf8, 0x80, 0x00, 0x0a, 0xfe, 0x78]);
      const junk = setInterval(() => babbling.port.write(bytes), 20);
      onTestFinished(() => clearInterval(junk));
      const before = performance.now();
      const words = await Promise.all([silent.path, unread.a, babbling.path].map((path) => refusal(path)));
      expect(performance.now() - before).toBeLessThan(12_000);
      const nothing =
        "the port opened, but nothing answers: is a board on it, and powered? One whose console is a UART may speak at " +
        "another speed: --baud 9600, or its type in a bench file";
      expect(words.slice(0, 2)).toEqual([`${silent.path}: ${nothing}`, `${unread.a}: ${nothing}`]);
      expect(words[2]).toMatch(
        /^\S+: \d+ bytes and \d+ lines came, but no answer: is this an Espruino\? One whose console/,
      );
    },
  );

  ttyTest("an Espruino answers, without our firmware", async () => {
    const ttys = await boards({ blank: true });
    expect(await refusal(ttys.paths[0] as string)).toBe(
      `${ttys.paths[0]}: an Espruino answers, but no station: flash the firmware first (ringlab flash)`,
    );
    expect((await probePort(ttys.paths[0] as string, 115_200)).found).toBe("espruino");
  });

  ttyTest("our firmware in another version", async () => {
    const answers = stationAnswers({ ...INFO, console: 99 });
    const { path } = await farEnd((text) =>
      text
        .split("\n")
        .filter((line) => line !== "")
        .map(answers)
        .join(""),
    );
    expect(await refusal(path)).toBe(
      `${path}: its firmware speaks console version 99, this program 2: flash it again (ringlab flash)`,
    );
    expect((await probePort(path, 115_200)).found).toBe("other-version");
  });

  ttyTest("two boards with one id: both ports are named", async () => {
    const ttys = await boards({ stations: 2 });
    const [a, b] = ttys.paths as [string, string];
    for (const path of [a, b]) {
      const ring = await TestRing.start(benchOf([path], { ids: [7] }));
      await ring.stop();
    }
    expect(await refusal(a, b)).toBe(`two boards have the id 7: ${a} and ${b}; name the ids with --ids`);
  });

  ttyTest("a port that is named twice, by a link and by the terminal that it leads to", async () => {
    const pair = await ptyPair();
    onTestFinished(() => pair.end());
    expect(() => benchOf([pair.a, realpathSync(pair.a)])).toThrow(/same port|one port|twice/);
  });
});

describe("a board that needs its time", () => {
  for (const bootDelayMs of [0, 800, 3000]) {
    ttyTest(`it resets when the port opens, and boots ${bootDelayMs} ms later`, async () => {
      const code = await emulatedFirmware();
      let board: ReturnType<typeof emulatedBoard> | null = null;
      let hear: (bytes: Uint8Array) => void = () => {};
      const far = peer(() => undefined);
      const reset = () => {
        board?.stop();
        const console = {
          write: (bytes: Uint8Array) => far.say(Buffer.from(bytes).toString("latin1")),
          onData: (listener: (bytes: Uint8Array) => void) => {
            hear = listener;
          },
        };
        board = emulatedBoard({ index: 0, seed: 1, console, storage: flashed(code), bootDelayMs });
      };
      far.onBytes = (bytes) => hear(bytes);
      const open = far.link.open.bind(far.link);
      far.link.open = async () => {
        await open();
        reset();
      };
      const station = new BoardStation(1, "port", () => far.link);
      onTestFinished(async () => {
        await station.stop();
        board?.stop();
      });
      const before = performance.now();
      expect(await station.connect()).toBeNull();
      expect(performance.now() - before).toBeLessThan(bootDelayMs + 3000);
      expect(station.info?.board).toBe("EMULATED");
    });
  }
});

describe("a tcp server", () => {
  /** A board behind a tcp server, as ser2net makes it; `drop` ends its connections. */
  async function served(): Promise<{ path: string; drop(): void }> {
    const ttys = await boards();
    const sockets = new Set<Socket>();
    const bridge: ChildProcess[] = [];
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      const inner = spawn("socat", ["STDIO", `${ttys.paths[0]},rawer`], {
        stdio: ["pipe", "pipe", "ignore"],
      });
      bridge.push(inner);
      inner.stdin.on("error", () => {});
      socket.pipe(inner.stdin);
      inner.stdout.pipe(socket);
      socket.on("close", () => inner.kill());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      for (const inner of bridge) inner.kill();
      server.close();
    });
    const { port } = server.address() as { port: number };
    return {
      path: `tcp://127.0.0.1:${port}`,
      drop: () => {
        for (const socket of sockets) socket.destroy();
        sockets.clear();
      },
    };
  }

  ttyTest("goes away and comes back: the station is bypassed and inserted again", async () => {
    const { path, drop } = await served();
    const ring = await TestRing.start(benchOf([path, "simulated"]));
    onTestFinished(() => ring.stop());
    await ring.forms();
    drop();
    await ring.until("bypass", () => ring.count("bypass", 1) === 1, 1000);
    await ring.until("insert", () => ring.count("insert", 1) === 1, 5000);
    const hops = ring.hops("TOK");
    await ring.until("the token goes on", () => ring.hops("TOK") > hops + 20, 5000);
    expect(ring.events("bypass")[0]?.fields.cause).toBe("closed");
  });

  ttyTest("is not there", async () => {
    expect(await refusal("tcp://127.0.0.1:1")).toBe(
      "tcp://127.0.0.1:1: connection refused: is ser2net running on 127.0.0.1, with port 1?",
    );
  });
});

describe("a station that says nothing", () => {
  ttyTest(
    "a hung board is bypassed within the stated bound, its queue thrown away, and inserted when it is back",
    async () => {
      const options = { criticalMs: 20_000 };
      const ring = await TestRing.start(benchOf(["emulated", "emulated", "emulated"], { options }));
      onTestFinished(() => ring.stop());
      await ring.forms();
      const limits = limitsOf(ring.opened.plan);
      const board = ring.opened.boards[1];
      ring.act("request 2");
      await ring.until("2 enters", () => ring.count("enter", 2) === 1);
      const made = ring.count("regenerated");
      const before = performance.now();
      // Power fails, and the port, which has its own, does not notice.
      board?.powerOff();
      await ring.until("bypass", () => ring.count("bypass", 2) === 1, 10_000);
      expect(performance.now() - before).toBeLessThan(silenceMs(limits) + 300);
      expect(ring.events("bypass")[0]?.fields.cause).toBe("silent");
      await ring.until("a new token", () => ring.count("regenerated") > made);
      const bound = boundOf({ ...ring.plan, limits, answerMs: answerMs(limits) }, "holder dead, port open");
      expect(bound.formula).toContain("answer");
      expect(performance.now() - before).toBeLessThan(bound.ms);
      const hops = ring.hops("TOK");
      await ring.until("the token goes on without it", () => ring.hops("TOK") > hops + 20, 5000);
      board?.powerOn();
      await ring.until("insert", () => ring.count("insert", 2) === 1, 5000);
      await ring.until("it has restarted", () => ring.count("restart", 2) === 1, 10_000);
      ring.act("request 2");
      await ring.until("it enters again", () => ring.count("enter", 2) === 2);
      expect(ring.watch.violation).toBeNull();
    },
  );

  ttyTest("a peer that never reads while we write: its link is lost, the others go on", async () => {
    const pair = await ptyPair();
    const far = new SerialPort({ path: pair.b, baudRate: 115_200 });
    far.on("error", () => {});
    await once(far, "open");
    const answers = stationAnswers({ ...INFO, id: 1 });
    let deaf = false;
    far.on("data", (chunk: Buffer) => {
      if (deaf) return;
      for (const line of chunk
        .toString("latin1")
        .split("\n")
        .filter((text) => text !== ""))
        far.write(answers(line));
    });
    onTestFinished(async () => {
      await new Promise((resolve) => far.close(resolve));
      await pair.end();
    });
    const ring = await TestRing.start(benchOf([pair.a, "simulated", "simulated"]));
    onTestFinished(() => ring.stop());
    deaf = true;
    far.pause();
    await ring.until("bypass", () => ring.count("bypass", 1) >= 1, 5000);
    await ring.forms(20, 15_000);
  });
});
