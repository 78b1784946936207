/** UARTs of emulated boards: what was measured on the interpreter (sections of the tests' names) and what a line does. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleAtBaud } from "../../../src/emulator/hardware/bits.ts";
import { ringWires, wirePair } from "../../../src/emulator/hardware/ports.ts";
import { picoProfile, uarts } from "../../../src/emulator/hardware/profile.ts";
import { bench, VirtualClock } from "../bench.ts";

/** Two boards on one clock, Serial1 to Serial1. */
function pair(codeA: string, codeB: string, more: object = {}) {
  const clock = new VirtualClock();
  const [a, b] = wirePair();
  const left = bench({ clock, uarts: { Serial1: a }, code: `echo(0);${codeA}`, ...more });
  const right = bench({ clock, uarts: { Serial1: b }, code: `echo(0);${codeB}`, seed: 2, ...more });
  clock.run(1000);
  left.console.take();
  right.console.take();
  return { clock, left, right };
}

const collect = `USB.setConsole(true);Serial1.setup(115200);var all="",sizes=[];
  Serial1.on("data",function(d){all+=d;sizes.push(d.length)});`;

describe("data events", () => {
  test("chunks are 1 to 64 bytes, split anywhere, and join to what was sent", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.integer({ min: 0, max: 3000 }),
        (bytes, executionUs) => {
          const { clock, left, right } = pair(collect, collect, { executionUs });
          left.console.send(`\x10Serial1.write(${JSON.stringify([...bytes])})\n`);
          clock.run(500);
          const answer = right.ask("\x10print(JSON.stringify([E.toUint8Array(all).join(),sizes]))\n");
          const [all, sizes] = JSON.parse(answer) as [string, number[]];
          expect(all).toBe([...bytes].join());
          expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
          expect(Math.min(...sizes)).toBeGreaterThanOrEqual(1);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("bytes join one event until the main loop takes it: a busy board gets fewer, longer chunks", () => {
    const sizes = (executionUs: number) => {
      const { clock, left, right } = pair(collect, collect, { executionUs });
      left.console.send('\x10Serial1.write("x".repeat(400))\n');
      clock.run(1000);
      return JSON.parse(right.ask("\x10print(JSON.stringify(sizes))\n")) as number[];
    };
    const quick = sizes(0);
    const slow = sizes(6500);
    expect(quick.length).toBeGreaterThan(80);
    expect(slow.length).toBeLessThan(12);
    expect(slow).toContain(64);
  });

  test("without a listener 512 bytes are kept, then BUFFER_FULL; a later listener first gets the backlog", () => {
    const { clock, left, right } = pair(collect, "USB.setConsole(true);Serial1.setup(115200)");
    left.console.send('\x10Serial1.write("a".repeat(400)+"b".repeat(200))\n');
    clock.run(200);
    expect(right.ask("\x10print(Serial1.available())\n")).toContain("512\r\n");
    expect(right.ask("\x10print(E.getErrorFlags())\n")).toContain("BUFFER_FULL");
    expect(right.ask('\x10Serial1.on("data",function(d){print(d.length,d[0],d[511])})\n')).toBe(
      "512 a b\r\n",
    );
    left.console.send('\x10Serial1.write("more")\n');
    clock.run(100);
    expect(right.console.take()).toMatch(/^\d m /);
  });

  test("inject feeds the receiver", () => {
    const { ask } = bench();
    ask("echo(0);Serial1.setup(9600);Serial1.on('data',function(d){print('got '+d)})\n");
    expect(ask("Serial1.inject('hi',33)\n")).toBe("got hi!\r\n");
  });

  test("write takes strings, bytes and arrays raw; print adds nothing, println adds CR LF", () => {
    const { ask, serial1 } = bench({ wired: true });
    ask("Serial1.setup(115200);Serial1.write('a\\n',66,[67,[68]],new Uint8Array([69]),{data:70,count:2})\n");
    expect(serial1.take()).toBe("a\nBCDEFF");
    ask("Serial1.print([1,'x']);Serial1.println(7)\n");
    expect(serial1.take()).toBe("1,x7\r\n");
  });

  test("an unknown option throws, a bad parity string does not", () => {
    const { ask } = bench();
    expect(ask("Serial1.setup(9600,{foo:1})\n")).toContain('Uncaught Error: Unknown option "foo"');
    expect(ask("Serial1.setup(9600,{flow:'zig'})\n")).toContain(
      'Uncaught Error: Invalid flow control: "zig"',
    );
    expect(ask("Serial1.setup(9600,{parity:'zig',rx:B7,tx:B6})\n")).toContain("=undefined");
    expect(ask("Serial1.setup(50)\n")).toContain("Uncaught Error: Invalid baud rate 50");
  });
});

describe("time on the line", () => {
  test("a 28-character frame takes 2.43 ms at 115200 baud and 29.2 ms at 9600", () => {
    for (const [baud, ms] of [
      [115200, 2.43],
      [9600, 29.2],
    ] as const) {
      const { clock, ask, serial1 } = bench({ wired: true });
      ask(`\x10Serial1.setup(${baud})\n`);
      const startUs = clock.now();
      ask('\x10Serial1.write("$T,1,2".repeat(4)+"*123")\n');
      const last = serial1.pieces.at(-1)!;
      expect(serial1.take()).toHaveLength(28);
      // 300 µs until the main loop looks at the console.
      expect((last.atUs - startUs - 300) / 1000).toBeCloseTo(ms, 1);
    }
  });

  test("a full transmit FIFO makes the program wait: the rest is out before it goes on", () => {
    const { ask } = bench({ wired: true });
    ask("\x10Serial1.setup(9600)\n");
    const elapsed = (count: number) =>
      Number(
        ask(`\x10var t=getTime();Serial1.write("x".repeat(${count}));print(getTime()-t)\n`, 3000).split(
          "\r",
        )[0],
      );
    expect(elapsed(128)).toBeLessThan(0.001);
    // 1000 - 128 characters at 960 a second.
    expect(elapsed(1000)).toBeCloseTo(872 / 960, 2);
  });

  test("a Pico's FIFO of 1024 bytes is full after 88 ms of a busy board at 115200 baud: FIFO_FULL and lost bytes", () => {
    const receive = (busyMs: number) => {
      const { clock, left, right } = pair(collect, collect);
      right.console.send(
        `\x10setTimeout(function(){var t=getTime()+${busyMs / 1000};while(getTime()<t);},20)\n`,
      );
      // A writer in pieces, so that it does not wait for its own FIFO.
      left.console.send(
        '\x10var n=0,iv=setInterval(function(){Serial1.write("y".repeat(100));if(++n==20)clearInterval(iv)},9)\n',
      );
      clock.run(2000);
      const [count, flags] = right
        .ask("\x10print(all.length);print(E.getErrorFlags().join())\n")
        .split("\r\n");
      return { count: Number(count), flags, output: right.console.take() };
    };
    expect(receive(60)).toMatchObject({ count: 2000, flags: "" });
    const lost = receive(170);
    expect(lost.flags).toBe("FIFO_FULL");
    expect(lost.count).toBeLessThan(2000);
    expect(lost.count).toBeGreaterThan(1000);
  });

  test("each new flag is printed on the console, once", () => {
    const { ask } = bench({ profile: { ...picoProfile, uarts: uarts(1, 256, 32) } });
    ask("echo(0);Serial1.setup(115200);Serial1.on('data',function(d){})\n");
    expect(ask("Serial1.inject('x'.repeat(2000))\n")).toBe("New interpreter error: FIFO_FULL\r\n");
    expect(ask("Serial1.inject('x'.repeat(2000))\n")).toBe("");
    expect(ask("print(E.getErrorFlags().join())\n")).toBe("FIFO_FULL\r\n");
    expect(ask("print(E.getErrorFlags().length)\n")).toBe("0\r\n");
  });
});

describe("wrong baud", () => {
  test("equal speeds, and speeds 3 % apart, give the same bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(0.97, 1, 1.03), (bytes, ratio) => {
        const sampled = sampleAtBaud(bytes, 115200, 115200 * ratio);
        expect([...sampled.bytes]).toEqual([...bytes]);
        expect(sampled.framingErrors).toBe(0);
      }),
    );
  });

  test("a receiver at another speed hears junk, not silence, and not the text", () => {
    const text = "$TOK,3,253,258,912,57*8A3F10C2\n";
    for (const [tx, rx] of [
      [115200, 9600],
      [9600, 115200],
      [57600, 115200],
      [115200, 57600],
    ] as const) {
      const { clock, left, right } = pair(
        collect.replace("115200", String(tx)),
        collect.replace("115200", String(rx)),
      );
      left.console.send(`\x10Serial1.write(${JSON.stringify(text)})\n`);
      clock.run(500);
      const [got] = JSON.parse(right.ask("\x10print(JSON.stringify([all]))\n")) as [string];
      expect(got.length, `${tx} to ${rx}`).toBeGreaterThan(0);
      expect(got).not.toContain("TOK");
    }
  });

  test("with errors:true the junk comes with framing events", () => {
    const { clock, left, right } = pair(
      collect,
      'USB.setConsole(true);Serial1.setup(38400,{errors:true});var n=0;Serial1.on("framing",function(){n++})',
    );
    left.console.send("\x10for(var a=[],i=0;i<256;i++)a.push(i);Serial1.write(a)\n");
    clock.run(100);
    expect(Number(right.ask("\x10print(n)\n").split("\r")[0])).toBeGreaterThan(0);
  });
});

describe("power on the line", () => {
  test("a frame breaks off where the sender loses power", () => {
    const { clock, left, right } = pair(collect, collect);
    left.console.send('\x10Serial1.write("0123456789".repeat(10))\n');
    // 300 µs main loop, then 86.8 µs a character.
    clock.run(0.3 + 0.0868 * 45.5);
    left.board.powerOff();
    clock.run(100);
    const got = right.ask("\x10print(all)\n").split("\r")[0]!;
    expect(got).toBe("0123456789".repeat(5).slice(0, 45));
  });

  test("a brown-out: junk on the line when power goes and when it is back, and the program starts anew", () => {
    const { clock, left, right } = pair(collect, collect);
    left.board.brownOut({ offMs: 50 });
    expect(left.board.powered).toBe(false);
    clock.run(40);
    const first = JSON.parse(right.ask("\x10print(JSON.stringify(sizes))\n", 0.9)) as number[];
    clock.run(2000);
    const [junk] = JSON.parse(right.ask("\x10print(JSON.stringify([all]))\n")) as [string];
    expect(first.length).toBeGreaterThan(0);
    expect(junk.length).toBeGreaterThan(first.reduce((a, b) => a + b, 0));
    expect(left.board.powered).toBe(true);
    expect(left.ask("\x10print(typeof all,all.length)\n")).toMatch(/^string \d/);
  });

  test("what a UART that is not set up hears is lost", () => {
    const { clock, left, right } = pair(collect, "USB.setConsole(true)");
    left.console.send('\x10Serial1.write("early")\n');
    clock.run(100);
    right.ask(`\x10${collect.replaceAll("\n", "")}\n`);
    left.console.send('\x10Serial1.write("late")\n');
    clock.run(100);
    expect(right.ask("\x10print(all)\n")).toBe("late\r\n");
  });
});

test("ring wires lead from each station to the next, and a cut wire carries nothing until it is mended", () => {
  const clock = new VirtualClock();
  const wires = ringWires(3);
  const boards = wires.ports.map((port, i) =>
    bench({ clock, uarts: { Serial1: port }, seed: i, code: `echo(0);${collect}` }),
  );
  clock.run(1000);
  const heard = () => boards.map(({ ask }) => ask("\x10print(all);all=''\n", 10).trim());
  const send = () => {
    boards.forEach(({ console }, i) => {
      console.send(`\x10Serial1.write("from ${i}")\n`);
    });
    clock.run(50);
  };
  heard();
  send();
  expect(heard()).toEqual(["from 2", "from 0", "from 1"]);
  wires.cut(1);
  send();
  expect(heard()).toEqual(["from 2", "from 0", ""]);
  wires.mend(1);
  send();
  expect(heard()).toEqual(["from 2", "from 0", "from 1"]);
});
