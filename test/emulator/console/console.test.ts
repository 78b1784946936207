/**
 * The console of an emulated board. Each test is named after what was measured on the interpreter, release 2v29.277;
 * `against-interpreter.test.ts` runs whole sessions on both.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bench } from "../bench.ts";

const art =
  "\x1b[?7l\r\n ____                 _ \r\n|  __|___ ___ ___ _ _|_|___ ___ \r\n|  __|_ -| . |  _| | | |   | . |\r\n" +
  "|____|___|  _|_| |___|_|_|_|___|\r\n         |_| espruino.com\r\n 2v29 (c) 2026 G.Williams\r\n\r\n>";

describe("output", () => {
  test("a board starts with the banner, the no-wrap sequence in front, and the prompt", () => {
    expect(bench().console.take()).toBe(art);
  });

  test("with saved code there is no banner, and an error in it does not keep the prompt away", () => {
    const { console } = bench({ code: "print(11);nope" });
    expect(console.take()).toBe(
      '\r\x1b[J11\r\nUncaught ReferenceError: "nope" is not defined\r\n' +
        "    at boot code (.bootcde:1:11)\r\n\r\n          ^\r\n\r\n>",
    );
  });

  test("saved code, then the init listeners, then onInit", () => {
    const { console } = bench({
      code: 'print(11);E.on("init",function(){print(12)});function onInit(){print(13)}',
    });
    expect(console.take()).toBe("\r\x1b[J11\r\n12\r\nRunning onInit()...\r\n13\r\n\r\n>");
  });

  test("echo on: the line, its output, its result and the prompt", () => {
    const { ask } = bench();
    expect(ask("1+1\n")).toBe("1+1\r\n=2\r\n>");
    expect(ask('print("hi")\n')).toBe('print("hi")\r\nhi\r\n=undefined\r\n>');
  });

  test("output while the prompt shows takes it off the terminal and puts it back", () => {
    const { ask } = bench();
    expect(ask("setTimeout(function(){print('ASYNC')},300);0\n")).toBe(
      "setTimeout(function(){print('ASYNC')},300);0\r\n=0\r\n>\r\x1b[JASYNC\r\n>",
    );
  });

  test("output under a half-typed line moves left by its length first, and redraws it", () => {
    const { ask } = bench();
    ask("setTimeout(function(){print('ASYNC')},600);0\n", 300);
    expect(ask("half", 900)).toBe("half\x1b[D\x1b[D\x1b[D\x1b[D\r\x1b[JASYNC\r\n>half");
  });

  test("errors are printed with echo off too", () => {
    const { ask } = bench();
    const text = 'Uncaught ReferenceError: "nope" is not defined\r\n    at REPL (:1:1)\r\n\r\n^\r\n';
    expect(ask("nope\n")).toBe(`nope\r\n${text}>`);
    expect(ask("echo(0)\n")).toBe("echo(0)\r\n");
    expect(ask("nope\n")).toBe(text);
  });

  test("results are abbreviated, printed JSON is complete", () => {
    const { ask } = bench();
    ask("\x10var x=[];for(var i=0;i<40;i++)x.push(7)\n");
    expect(ask("x\n")).toBe("x\r\n=[ 7, 7, 7, 7, 7,  ... 7, 7, 7, 7, 7 ]\r\n>");
    expect(ask("\x10print(JSON.stringify(x))\n")).toBe(`[${Array(40).fill(7).join(",")}]\r\n>`);
  });

  test("a line after DLE has no echo and no result, but a prompt follows what it prints", () => {
    const { ask } = bench();
    expect(ask("\x10print(1)\n")).toBe("1\r\n>");
    expect(ask("\x101+1\n")).toBe("");
  });

  test("DLE counts on an empty line only", () => {
    const { ask } = bench();
    ask("1+");
    expect(ask("\x10print(2)\n")).toBe("print(2)\r\n2\r\n=NaN\r\n>");
  });

  test("echo(0): no prompt, echo or results from then on", () => {
    const { ask } = bench();
    ask("\x10echo(0)\n");
    expect(ask("1+1\n")).toBe("");
    expect(ask("print(5)\n")).toBe("5\r\n");
  });

  test("reset() turns echo back on and prints the banner; load() keeps echo off and prints nothing", () => {
    const { ask } = bench();
    ask("echo(0)\n");
    expect(ask("load()\n")).toBe("");
    expect(ask("1\n")).toBe("");
    expect(ask("reset()\n")).toBe(art);
    expect(ask("1\n")).toBe("1\r\n=1\r\n>");
  });

  test("a silent line goes on until its brackets close", () => {
    const { ask } = bench();
    expect(ask("\x10function g(){\nreturn 3}\n")).toBe("");
    expect(ask("\x10print(g())\n")).toBe("3\r\n>");
  });

  test("CR, LF and CRLF all end a line", () => {
    const { ask } = bench();
    for (const end of ["\r", "\n", "\r\n"]) expect(ask(`3${end}`)).toBe("3\r\n=3\r\n>");
  });

  test("ENQ on an empty line tells version and board, on any other nothing", () => {
    const { ask } = bench();
    expect(ask("\x05")).toBe("Espruino 2v29 PICO_R1_3\r\n");
    expect(ask("x\x05")).toBe("x");
  });

  test("0x15 does not clear the line: Ctrl-A, D, U and W are gone since 2v25", () => {
    const { ask } = bench();
    ask("4");
    expect(ask("\x152\n")).toBe("2\r\n=42\r\n>");
  });

  test("a callback that throws prints Uncaught and stays registered", () => {
    const { ask } = bench();
    ask("var n=0;setInterval(function(){n++;nope},100);0\n", 50);
    const text = ask("", 1000);
    expect(text.match(/Uncaught ReferenceError/g)).toHaveLength(10);
    expect(ask("n\n", 10)).toBe("n\r\n=10\r\n>");
  });

  test("process.on('uncaughtException') takes the place of the message", () => {
    const { ask } = bench();
    ask("process.on('uncaughtException',function(e){print('caught '+e)});0\n");
    expect(ask("\x10throw 3\n")).toBe("caught 3\r\n>");
  });
});

describe("getting to a clean console", () => {
  test("ESC [2H clears the line with open brackets, strings, comments and half ESC codes, in stream order", () => {
    const dirty = [
      "half",
      "foo(\n[",
      '"str',
      "/* c\n",
      "`tpl\n",
      "\x1b",
      "\x1b[",
      "\x1b[1",
      "\x10",
      "if(1){\n",
    ];
    for (const text of dirty) {
      const { ask } = bench();
      ask(text);
      const answer = ask('\x1b[2H\x10echo(0)\n\x10print("<SY"+"NC>")\n');
      expect(answer.endsWith("<SYNC>\r\n"), JSON.stringify([text, answer])).toBe(true);
      expect(ask("\x10print(1)\n")).toBe("1\r\n");
    }
  });

  test("ESC [2H interrupts nothing", () => {
    const { ask } = bench();
    ask("\x10echo(0)\n");
    ask("\x10var n=0;setInterval(function(){n++},10)\n");
    ask("\x1b[2H".repeat(5));
    expect(Number(ask("\x10print(n)\n"))).toBeGreaterThan(190);
  });

  test("the hello works from any dirty state: after random bytes and the six seconds of a packet", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        // What the bytes happen to run is the program's own affair: no letters, so none of it is a call.
        const text = [...bytes]
          .map((byte) => String.fromCharCode(byte))
          .join("")
          .replaceAll(/[a-zA-Z]/g, "");
        const { ask } = bench();
        ask(text, 6000);
        const answer = ask('\x1b[2H\x10echo(0)\n\x10print("<SY"+"NC>")\n', 6000);
        return answer.endsWith("<SYNC>\r\n");
      }),
      { numRuns: 60 },
    );
  });

  test("one Ctrl-C in a quiet board does no harm: the line is cleared, the interval kept", () => {
    const { ask } = bench();
    ask("var n=0;setInterval(function(){n++},100);0\n");
    ask("abc");
    expect(ask("\x03", 10)).toBe("\x1b[D\x1b[D\x1b[D\r\x1b[J>");
    expect(Number(/=(\d+)/.exec(ask("n\n"))?.[1])).toBeGreaterThanOrEqual(10);
  });

  test("a Ctrl-C is seen at its arrival: text after it in the same burst belongs to the cleared line", () => {
    const { ask } = bench();
    expect(ask("foo(\x03")).toBe("foo(\x1b[D\x1b[D\x1b[D\x1b[D\r\x1b[J>");
    expect(ask("1\n")).toBe("1\r\n=1\r\n>");
  });

  const busy = 'setInterval(function(){var t=getTime()+1;while(getTime()<t);print("end")},2500);0\n';

  test("Ctrl-C into a handler that runs longer than a tick stops the board at debug>, with echo off too", () => {
    const { ask, clock } = bench();
    ask("echo(0)\n");
    ask(busy, 1000);
    clock.run(1600);
    expect(ask("\x03", 300)).toBe(":1:1   \r\n       ^\r\ndebug>");
    // The board stands still for good.
    expect(ask("", 20_000)).toBe("");
  });

  test("a second Ctrl-C leaves the debugger and removes the interval it broke off", () => {
    const { ask, clock } = bench();
    ask(busy, 1000);
    clock.run(1600);
    expect(ask("\x03", 300)).toContain("debug>");
    expect(ask("\x03", 300)).toBe(
      "\r\x1b[J\b\b\b\b\bERROR: Ctrl-C while processing interval - removing it.\r\n" +
        "Execution Interrupted during event processing.\r\nNew interpreter error: CALLBACK\r\n>",
    );
    expect(ask("", 10_000)).toBe("");
    expect(ask("E.getErrorFlags()\n")).toContain('"CALLBACK"');
  });

  test("a handler that is short enough is not stopped", () => {
    const { ask, clock } = bench();
    ask("setInterval(function(){var t=getTime()+0.05;while(getTime()<t);},100);0\n", 30);
    clock.run(170);
    expect(ask("\x03", 2000)).not.toContain("debug>");
  });

  test("Ctrl-C on a silent line gives Execution Interrupted and no debugger", () => {
    const { ask } = bench();
    ask("\x10var t=getTime()+2;while(getTime()<t);print('done')\n", 500);
    expect(ask("\x03", 1000)).toBe("Execution Interrupted\r\n>");
    expect(ask("", 5000)).toBe("");
  });

  test("it takes the second tick of the system timer: nothing on the first", () => {
    const { ask, clock } = bench();
    // Ticks are counted from power-up, 0.1997 s apart.
    clock.run(2000 - 1100);
    ask("\x10var t=getTime()+5;while(getTime()<t);\n", 0.5);
    expect(ask("\x03", 300)).toBe("");
    expect(ask("", 200)).toBe("Execution Interrupted\r\n>");
  });

  test("what was typed behind the line that is broken off runs afterwards", () => {
    const { ask } = bench();
    ask("echo(0)\n");
    ask("\x10var t=getTime()+2;while(getTime()<t);print('done')\n\x10print('next')\n", 500);
    expect(ask("\x03", 1000)).toBe("Execution Interrupted\r\nnext\r\n");
  });
});

describe("packets", () => {
  const packet = (type: number, data: string) =>
    `\x10\x01${String.fromCharCode(type | (data.length >> 8), data.length & 255)}${data}`;

  test("EVAL answers ACK and the compact value, also with a dirty line and with echo off", () => {
    const { ask } = bench();
    expect(ask(packet(0x20, "1+1+10"))).toBe("\x06\x10\x01\x00\x0212");
    ask("dirty");
    expect(ask(packet(0x20, "({a:1})"))).toBe("\x06\x10\x01\x00\x05{a:1}");
    expect(ask("\n")).toContain('"dirty" is not defined');
    ask("echo(0)\n");
    expect(ask(packet(0x20, "a=[1,'x']"))).toBe('\x06\x10\x01\x00\x07[1,"x"]');
  });

  test("EVAL takes an expression: of a=1;b=2 only the first runs, a statement is a NAK", () => {
    const { ask } = bench();
    ask("echo(0)\n");
    expect(ask(packet(0x20, "a=1;b=2"))).toBe("\x06\x10\x01\x00\x011");
    expect(ask("print(typeof b)\n")).toBe("undefined\r\n");
    expect(ask(packet(0x20, "var x"))).toMatch(/^\x15Uncaught SyntaxError: Got var expected EOF\r\n/);
    expect(ask(packet(0x20, "print(5)"))).toBe("5\r\n\x06\x10\x01\x00\x04null");
    expect(ask(packet(0x20, '"a;b"'))).toBe('\x06\x10\x01\x00\x05"a;b"');
  });

  test("EVENT is a NAK without a listener or with bad JSON", () => {
    const { ask } = bench();
    ask("echo(0)\n");
    expect(ask(packet(0x40, "{hello:'world'}"))).toBe("\x15");
    ask("E.on('packet',function(p){print(p.hello)})\n");
    expect(ask(packet(0x40, "{hello:'world'}"))).toBe("world\r\n\x06");
    expect(ask(packet(0x40, "{hello"))).toBe("\x15");
  });

  test("FILE_SEND and DATA write Storage with an ACK each; DATA after the end is a NAK", () => {
    const { ask, board } = bench();
    ask("echo(0)\n");
    expect(ask(packet(0x60, '{"fn":"f","s":11}'))).toBe("\x06");
    expect(ask(packet(0x80, "hello"))).toBe("\x06");
    expect(ask(packet(0x80, " world"))).toBe("\x06");
    expect(ask(packet(0x80, "!"))).toBe("\x15");
    expect(Buffer.from(board.storage.read("f")!).toString()).toBe("hello world");
    expect(ask(packet(0xa0, "{fn:'f'}"))).toBe("\x06\x10\x01\x80\x0bhello world\x10\x01\x80\x00");
  });

  test("an unfinished packet swallows everything for five seconds, then NAK", () => {
    const { ask } = bench();
    const [head] = [packet(0x20, "123456").slice(0, 6)];
    expect(ask(head!, 4900)).toBe("");
    expect(ask("", 200)).toBe("\x15");
    expect(ask("1+1\n")).toBe("1+1\r\n=2\r\n>");
  });

  test("a byte of a packet that is Ctrl-C is data", () => {
    const { ask } = bench();
    ask("dirty");
    // The length byte is 3.
    expect(ask(packet(0x20, "1+1"))).toBe("\x06\x10\x01\x00\x012");
    expect(ask("\n")).toContain('"dirty" is not defined');
  });

  test("a line of 20 000 characters runs whole", () => {
    const { ask } = bench();
    expect(ask(`\x10print("${"x".repeat(20_000)}".length)\n`)).toBe("20000\r\n>");
  });
});

describe("where the console is", () => {
  test("unread for ten ticks, USB counts as unplugged and the REPL moves to Serial1 and talks there", () => {
    const { ask, clock, console, serial1 } = bench({ wired: true });
    console.setReads(false);
    ask("setInterval(function(){print('x')},500);0\n");
    clock.run(4000);
    expect(serial1.take()).toMatch(/^<- USB\r\n/);
    expect(serial1.take()).toBe("");
    clock.run(1000);
    expect(serial1.take()).toContain("x\r\n>");
  });

  test("while the console is on Serial1 its data events stop; read again, USB gets the console back", () => {
    const { ask, clock, console, serial1 } = bench({ wired: true });
    ask("Serial1.setup(115200);Serial1.on('data',function(d){print('data '+d)});0\n");
    serial1.send("abc");
    clock.run(100);
    expect(console.take()).toContain("data abc");
    console.setReads(false);
    ask("print(1)\n", 3000);
    serial1.take();
    serial1.send("print(6*7)\n");
    clock.run(500);
    expect(serial1.take()).toContain("42\r\n");
    console.setReads(true);
    clock.run(100);
    expect(serial1.take()).toContain("-> USB\r\n");
    expect(console.take()).toContain("<- Serial1\r\n");
    expect(ask("1+1\n")).toBe("1+1\r\n=2\r\n>");
  });

  test("USB.setConsole(true) pins it: nothing ever goes to Serial1", () => {
    const { ask, clock, console, serial1, board } = bench({ wired: true, code: "USB.setConsole(true)" });
    console.setReads(false);
    ask("setInterval(function(){print('x')},500);0\n");
    clock.run(10_000);
    expect(serial1.take()).toBe("");
    expect(board.consoleDevice).toBe("USB");
  });

  test("nobody reads: print blocks the program until USB counts as unplugged, then output is thrown away", () => {
    const { ask, clock, console, board } = bench({ code: "USB.setConsole(true)" });
    ask("echo(0);pinMode(LED1,'output')\n");
    console.setReads(false);
    console.send("\x10print('y'.repeat(300));setInterval(function(){LED1.toggle()},100)\n");
    clock.run(1500);
    const before = board.read("LED1");
    clock.run(300);
    expect(board.read("LED1"), "the interval does not run while print waits").toBe(before);
    let changes = 0;
    board.onPin(() => changes++);
    clock.run(2000);
    expect(changes).toBeGreaterThan(10);
    console.setReads(true);
    expect(ask("\x10print(1)\n")).toBe("1\r\n");
  });

  test("USB asks the host to hold back while the board is busy, and to go on", () => {
    const { clock, console } = bench({ code: "USB.setConsole(true);echo(0)" });
    const asked: boolean[] = [];
    console.pause = (paused) => asked.push(paused);
    console.send("\x10var t=getTime()+1;while(getTime()<t);\n");
    clock.run(100);
    console.send("x".repeat(10_000));
    expect(asked).toEqual([true]);
    clock.run(2000);
    expect(asked).toEqual([true, false]);
  });

  test("up to the transmit FIFO's 128 bytes nothing waits, and a reader in time gets all of it", () => {
    const { ask, clock, console } = bench({ code: "USB.setConsole(true);echo(0)" });
    console.setReads(false);
    console.send("\x10for(var i=0;i<100;i++)print('line '+i)\n");
    clock.run(1000);
    expect(console.take()).toBe("");
    console.setReads(true);
    clock.run(100);
    expect(console.take()).toBe(Array.from({ length: 100 }, (_, i) => `line ${i}\r\n`).join(""));
    expect(ask("\x10print(1)\n")).toBe("1\r\n");
  });

  test("E.setConsole moves it with a line on either side when echo is on", () => {
    const { ask, clock, serial1 } = bench({ wired: true });
    expect(ask("E.setConsole('Serial1')\n")).toBe("E.setConsole('Serial1')\r\n-> Serial1\r\n");
    clock.run(100);
    expect(serial1.take()).toBe("<- USB\r\n=undefined\r\n>");
  });

  test("E.setConsole(null,{force:true}) leaves a byte-clean port: Ctrl-C and DLE arrive as data", () => {
    const { ask } = bench();
    ask("E.setConsole(null,{force:true});USB.on('data',function(d){USB.write(E.toJS(d))})\n");
    expect(ask("\x10a\x03\n")).toBe('"\\x10a\\3\\n"');
  });

  test("a board without USB has its console on the UART, at the UART's speed", () => {
    const { ask, clock, console } = bench({ uartConsole: true });
    expect(ask("1+1\n")).toBe("1+1\r\n=2\r\n>");
    console.take();
    console.send('\x10print("x".repeat(96))\n');
    clock.run(30);
    // 9600 baud is 0.96 characters a millisecond; input alone takes 26 ms.
    expect(console.take()).toBe("");
    clock.run(60);
    const part = console.take().length;
    expect(part).toBeGreaterThan(20);
    expect(part).toBeLessThan(90);
  });

  test("a UART console asks its sender to stop when six eighths of the FIFO are full, and to go on", () => {
    const { clock, console } = bench({ uartConsole: true });
    console.take();
    console.send(`\x10var t=getTime()+2;while(getTime()<t);\n${"a".repeat(900)}`);
    clock.run(1500);
    expect(console.take()).toContain("\x13");
    clock.run(2000);
    expect(console.take()).toContain("\x11");
  });
});
