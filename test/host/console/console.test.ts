/**
 * The console against what serial lines do to it. Facts about Espruino's console: README_Protocol and jsinteractive.c of
 * the Espruino project; what else can be in the way is known from years of terminal programs.
 */
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { crc32 } from "../../../firmware/crc32.js";
import { decode, encode } from "../../../firmware/frame.js";
import { installAll } from "../../../firmware/protocols.js";
import { frameTypes } from "../../../firmware/registry.js";
import { BoardConsole } from "../../../src/host/console/board-console.ts";
import { readInfo } from "../../../src/host/console/board-info.ts";
import { readLine } from "../../../src/host/console/console-line.ts";
import { hostClock } from "../../../src/link/time.ts";
import { callNumber, INFO, isSync, type Peer, peer, record, stationAnswers } from "../peer.ts";

installAll();

const TOKEN = encode({ type: "TOK", src: 3, dst: 253, args: [258, 912, 57], flags: 0 }, crc32).trimEnd();

interface Heard {
  records: string[];
  texts: string[];
  overflow: number;
}

async function connected(far: Peer): Promise<{ console: BoardConsole; heard: Heard; ok: boolean }> {
  const heard: Heard = { records: [], texts: [], overflow: 0 };
  await far.link.open();
  onTestFinished(() => far.link.close());
  const console = new BoardConsole(
    far.link,
    {
      onRecord: (event, args) => heard.records.push([event, ...args].join(",")),
      onText: (text) => heard.texts.push(text),
      onLost() {},
      onOverflow: (count) => {
        heard.overflow += count;
      },
    },
    hostClock,
  );
  const ok = await console.connect({ tries: 3, interrupt: false });
  return { console, heard, ok };
}

/** Records are in the order of the stream, so an answer tells that all before it has been read. */
const flushed = (console: BoardConsole) => console.call("attach", 0);

const good = (heard: Heard) =>
  heard.records
    .filter((record) => record.startsWith("tx,"))
    .filter((record) => typeof decode(record.slice(3), crc32, frameTypes) !== "string");

describe("getting to a clean console", () => {
  test("what came before the answer is of an earlier run: a backlog of old tokens is not acted on", async () => {
    const backlog = Array.from({ length: 200 }, (_, i) => record(`${i},tx,${TOKEN}`)).join("");
    const answers = stationAnswers(INFO);
    const far = peer((line) => (isSync(line) ? `${backlog}>\r\n<SYNC>\r\n` : answers(line)));
    const { console, heard, ok } = await connected(far);
    await flushed(console);
    expect(ok).toBe(true);
    expect(heard).toEqual({ records: [], texts: [], overflow: 0 });
  });

  test("the echo of the host's own line is not taken for the answer", async () => {
    let asked = 0;
    const far = peer((line) => {
      asked += 1;
      return asked < 4 ? `${line}\r\n` : isSync(line) ? "<SYNC>\r\n" : undefined;
    });
    const { ok } = await connected(far);
    expect(ok).toBe(true);
    expect(far.lines.filter(isSync).length).toBeGreaterThan(1);
  });

  test("an answer that comes late, after the second try, is not shown as text", async () => {
    const answers = stationAnswers(INFO);
    let syncs = 0;
    const far = peer((line) => {
      if (!isSync(line)) return answers(line);
      syncs += 1;
      return syncs === 1 ? undefined : "<SYNC>\r\n<SYNC>\r\n";
    });
    const { console, heard } = await connected(far);
    await flushed(console);
    expect(heard.texts).toEqual([]);
  });

  test("without an answer it ends within its tries, and sends no Ctrl-C unless told to", async () => {
    const far = peer(() => undefined);
    const before = performance.now();
    const { ok } = await connected(far);
    expect(ok).toBe(false);
    expect(performance.now() - before).toBeLessThan(4500);
    expect(far.lines.join("")).not.toContain("\x03");
  });

  test("a port that goes away ends it at once", async () => {
    const far = peer(() => {
      far.unplug();
      return undefined;
    });
    const before = performance.now();
    const { ok } = await connected(far);
    expect(ok).toBe(false);
    expect(performance.now() - before).toBeLessThan(900);
  });
});

describe("what comes between", () => {
  const answers = stationAnswers(INFO);

  test("REPL text, echo and cursor codes in the middle of a frame: refused, the next frame is read", async () => {
    const far = peer(answers);
    const { console, heard } = await connected(far);
    const [head, tail] = [TOKEN.slice(0, 12), TOKEN.slice(12)];
    const into = (time: number, text: string) => {
      const whole = record(`${time},tx,${TOKEN}`);
      far.say(whole.replace(head + tail, head + text + tail));
    };
    into(5, "=undefined\r\n>");
    into(6, "print(1)");
    far.say(`\x1b[2K\x1b[0G>${record(`7,tx,${TOKEN}`)}`);
    into(8, "\x1b[J");
    await flushed(console);
    // Cursor codes are no characters of the line: with them gone the frame is whole, and its check sum says so.
    expect(good(heard)).toEqual([`tx,${TOKEN}`, `tx,${TOKEN}`]);
  });

  test("a stuck XOFF, and XON and XOFF anywhere, stop nothing and spoil no frame", async () => {
    const far = peer(answers);
    const { console, heard } = await connected(far);
    const whole = record(`5,tx,${TOKEN}`);
    far.say(`\x13${whole.slice(0, 9)}\x13${whole.slice(9, -2)}\x11\r\n\x13`);
    expect(await flushed(console)).not.toBeNull();
    expect(good(heard)).toEqual([`tx,${TOKEN}`]);
  });

  test("1 MB without a newline is thrown away as it comes, the frame behind it is read", async () => {
    const far = peer(answers);
    const { console, heard } = await connected(far);
    const before = performance.now();
    for (let i = 0; i < 256; i++) far.say("x".repeat(4096));
    far.say(`\r\n${record(`5,tx,${TOKEN}`)}`);
    await flushed(console);
    expect(performance.now() - before).toBeLessThan(2000);
    expect(heard.overflow).toBeGreaterThanOrEqual(1024 * 1024);
    expect(good(heard)).toEqual([`tx,${TOKEN}`]);
    expect(heard.texts.join("").length).toBe(0);
  });

  test("bytes 0x80 to 0xFF and NUL do no harm", async () => {
    const far = peer(answers);
    const { console, heard } = await connected(far);
    const high = Array.from({ length: 128 }, (_, i) => String.fromCharCode(128 + i)).join("");
    const five = record(`5,tx,${TOKEN}`).trimEnd();
    far.say(`\0\0${high}\0\r\n\0${five}\0\r\n${high}${record(`6,tx,${TOKEN}`)}`);
    expect(await flushed(console)).not.toBeNull();
    expect(good(heard)).toEqual([`tx,${TOKEN}`]);
  });

  test("no line of a board makes the reader throw, nor a record of an event with other characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        for (const said of readLine(text))
          if (said.kind === "record") expect(said.event).toMatch(/^[a-z]{1,16}$/);
      }),
    );
  });

  test("a person's text reaches a board only as a JSON string literal in ASCII", async () => {
    const far = peer(answers);
    const { console } = await connected(far);
    await console.call("send", 3, '");reset();//\n\x03é\u2028');
    expect(far.lines.at(-1)).toMatch(/^\x10station\.send\(\d+001,3,/);
    expect(far.lines.at(-1)).toContain(',3,"\\");reset();//\\n\\u0003\\u00e9\\u2028")');
  });
});

describe("calls", () => {
  test("one at a time: the next line leaves when the answer to the one before has come", async () => {
    const held: string[] = [];
    const far = peer((line) => {
      if (isSync(line)) return "<SYNC>\r\n";
      if (line.includes("station.")) held.push(line);
      return undefined;
    });
    const { console } = await connected(far);
    const calls = [console.call("request"), console.call("elect")];
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(held.length).toBe(1);
    far.say(record(`1,ack,${callNumber(held[0] as string)}`));
    await calls[0];
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(held.length).toBe(2);
    far.say(record(`2,ack,${callNumber(held[1] as string)}`));
    expect(await calls[1]).toMatchObject({ board: 2 });
  });

  test("calls that nobody answers end, and are bounded in number", async () => {
    const far = peer((line) => (isSync(line) ? "<SYNC>\r\n" : undefined));
    const { console } = await connected(far);
    const calls = Array.from({ length: 500 }, () => console.call("request"));
    expect(await calls[499]).toBeNull();
    expect(await calls[0]).toBeNull();
    expect(console.unanswered).toBe(1);
    console.drop();
    expect(await Promise.all(calls)).toEqual(calls.map(() => null));
  });
});

describe("what a board says of itself", () => {
  test("every field is checked, whatever comes", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const info = readInfo(json);
        if (info?.id !== undefined) expect(info.id >= 0 && info.id <= 250).toBe(true);
        if (info) expect(info.board.length <= 40 && info.serial.length <= 40).toBe(true);
      }),
    );
    expect(readInfo('{"console":1,"id":251}')?.id).toBeUndefined();
    expect(readInfo('{"console":1,"id":250}')?.id).toBe(250);
    expect(readInfo("[1]")).toBeNull();
    expect(readInfo("{")).toBeNull();
  });
});
