/** Timers, pins, flash and power as a program meets them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { picoProfile, uarts } from "../../../src/emulator/hardware/profile.ts";
import { createStorage, StorageError } from "../../../src/emulator/hardware/storage.ts";
import { parseLiberal } from "../../../src/emulator/interpreter/liberal-json.ts";
import { bench } from "../bench.ts";

const quiet = "echo(0);USB.setConsole(true);";

describe("timers", () => {
  test("ids are numbers from 1, and the next is one above the last that is still there", () => {
    const { ask } = bench();
    const ids = "var r=[];for(var i=0;i<3;i++)r.push(setTimeout(function(){},10+i));r\n";
    expect(ask(ids)).toContain("=[ 1, 2, 3 ]");
    expect(ask("setTimeout(function(){},10)\n")).toContain("=1\r\n");
  });

  test("a time-out of 20 ms comes after 20 ms; an interval of 100 ms does not drift", () => {
    const { ask } = bench({ code: quiet });
    ask("\x10var at=[],t0=getTime();setTimeout(function(){print(Math.round((getTime()-t0)*1000))},20)\n", 1);
    expect(ask("", 100)).toBe("20\r\n");
    ask("\x10t0=getTime();setInterval(function(){at.push(Math.round((getTime()-t0)*1e4))},100)\n", 10_050);
    const times = JSON.parse(ask("\x10print(JSON.stringify(at))\n", 1)) as number[];
    expect(times).toHaveLength(100);
    times.forEach((time, i) => {
      expect(Math.abs(time - (i + 1) * 1000)).toBeLessThanOrEqual(3);
    });
  });

  test("clearInterval() without an argument clears all timers, with undefined it throws", () => {
    const { ask } = bench({ code: quiet });
    ask("\x10setInterval(function(){print(1)},100);setTimeout(function(){print(2)},200)\n", 50);
    expect(ask("\x10clearTimeout()\n")).toBe("");
    expect(ask("\x10clearInterval(undefined)\n")).toContain(
      "Uncaught Error: clearInterval(undefined) not allowed. Use clearInterval() instead",
    );
  });

  test("changeInterval counts from now; an unknown id throws", () => {
    const { ask, clock } = bench({ code: quiet });
    ask("\x10var n=0,iv=setInterval(function(){n++},1000)\n", 900);
    ask("\x10changeInterval(iv,200)\n", 0.5);
    clock.run(190);
    expect(ask("\x10print(n)\n", 1)).toBe("0\r\n");
    clock.run(900);
    expect(ask("\x10print(n)\n", 1)).toBe("5\r\n");
    expect(ask("\x10changeInterval(77,5)\n")).toContain("Uncaught Error: Unknown Interval");
  });

  test("an interval that comes late catches up", () => {
    const { ask } = bench({ code: quiet });
    ask("\x10var n=0;setInterval(function(){n++},100)\n", 50);
    ask("\x10var t=getTime()+1;while(getTime()<t);\n", 1080);
    expect(ask("\x10print(n)\n", 1)).toBe("11\r\n");
  });

  test("a string is code", () => {
    const { ask } = bench({ code: quiet });
    expect(ask('\x10setTimeout("print(7)",100)\n')).toBe("7\r\n");
  });

  test("emit is queued: handlers run after the current code, and a promise's too", () => {
    const { ask } = bench({ code: quiet });
    expect(
      ask('\x10var o={};o.on("x",function(a){print("x",a,this===o)});o.emit("x",5);print("after")\n'),
    ).toBe("after\r\nx 5 true\r\n");
    expect(
      ask(
        "\x10Promise.resolve(1).then(function(v){print('then',v);throw 2}).catch(function(e){print('catch',e)});print('now')\n",
      ),
    ).toBe("now\r\nthen 1\r\ncatch 2\r\n");
  });
});

test("several listeners of an event run in their order; one can be taken away, one put first", () => {
  const { ask } = bench({ code: quiet });
  ask(
    "\x10var o={},p=function(n){return function(){print(n)}},b=p(2);o.on('x',p(1));o.on('x',b);o.on('x',p(3))\n",
  );
  expect(ask("\x10o.emit('x')\n")).toBe("1\r\n2\r\n3\r\n");
  expect(ask("\x10o.removeListener('x',b);o.prependListener('x',p(0));o.emit('x')\n")).toBe(
    "0\r\n1\r\n3\r\n",
  );
  expect(ask("\x10o.emit('y');o.removeAllListeners('x');o.emit('x')\n")).toBe("");
});

describe("the realm of a program", () => {
  test("what Espruino lacks is missing", () => {
    const { ask } = bench({ code: quiet });
    const names =
      "Map Set WeakMap Symbol Proxy BigInt WebAssembly process.exit require.main Buffer performance";
    const code = names.split(" ").map((name) => `typeof ${name}`);
    expect(ask(`\x10print([${code}].join())\n`)).toBe(`${code.map(() => "undefined").join()}\r\n`);
    const methods =
      "[].flat [].at [].keys Array.from ''.at Math.imul Math.trunc Number.isInteger Object.freeze";
    const list = methods.split(" ").map((name) => `typeof ${name}`);
    expect(ask(`\x10print([${list}].join())\n`)).toBe(`${list.map(() => "undefined").join()}\r\n`);
  });

  test("what a program gets is of its own realm: instanceof and constructors hold", () => {
    const { ask } = bench({ code: quiet });
    const checks = [
      "E.getErrorFlags() instanceof Array",
      "E.toUint8Array('a') instanceof Uint8Array",
      "process.memory().constructor===Object",
      "(function(){try{setTimeout(5,1)}catch(e){return e instanceof Error}})()",
      "require('Storage').list() instanceof Array",
      "new Date() instanceof Date",
    ];
    expect(ask(`\x10print([${checks}].join())\n`)).toBe(`${checks.map(() => "true").join()}\r\n`);
  });

  test("E.CRC32 is zlib's: 123456789 gives CBF43926 (published check value)", () => {
    const { ask } = bench({ code: quiet });
    expect(ask('\x10print(E.CRC32("123456789").toString(16))\n')).toBe("cbf43926\r\n");
    expect(ask("\x10print(E.CRC32([49,50,51,52,53,54,55,56,57])===E.CRC32('123456789'))\n")).toBe("true\r\n");
  });

  test("random numbers repeat with the seed, and E.srand starts them again", () => {
    const draw = "\x10print([Math.random(),E.hwRand(),Math.random()].join())\n";
    const one = bench({ code: quiet, seed: 7 }).ask(draw);
    expect(bench({ code: quiet, seed: 7 }).ask(draw)).toBe(one);
    expect(bench({ code: quiet, seed: 8 }).ask(draw)).not.toBe(one);
    const { ask } = bench({ code: quiet });
    ask("\x10E.srand(5)\n");
    const first = ask(draw);
    ask("\x10E.srand(5)\n");
    expect(ask(draw)).toBe(first);
  });

  test("modules: cached text and functions, and a file of that name in Storage", () => {
    const { ask } = bench({ code: quiet });
    ask('\x10Modules.addCached("a","exports.x=1");Modules.addCached("b",function(){exports.x=2})\n');
    ask('\x10Modules.addCached("b",function(exports){exports.x=2})\n');
    ask('\x10require("Storage").write("c","module.exports={x:3}")\n');
    expect(ask('\x10print(require("a").x,require("b").x,require("c").x)\n')).toBe("1 2 3\r\n");
    expect(ask('\x10require("d")\n')).toContain('Uncaught Error: Module "d" not found');
  });

  test("process and getSerial name the board", () => {
    const { ask } = bench({ code: quiet, serialNumber: "abc-1" });
    expect(
      ask("\x10var e=process.env;print(e.BOARD,e.VERSION,e.SERIAL,e.CONSOLE,getSerial(),process.version)\n"),
    ).toBe("PICO_R1_3 2v29 abc-1 USB abc-1 2v29\r\n");
    expect(ask("\x10var m=process.memory();print(m.total,m.free+m.usage,m.rx.total,m.tx.total)\n")).toBe(
      "5100 5100 1024 128\r\n",
    );
  });

  test("time is the board's: seconds since power, moved by setTime, and Date follows", () => {
    const { ask, clock } = bench({ code: quiet });
    clock.run(5000 - 1100);
    expect(Number(ask("\x10print(getTime())\n", 1))).toBeCloseTo(5, 2);
    ask("\x10setTime(1e9)\n", 0);
    expect(ask("\x10print(new Date().getFullYear(),Math.floor(Date.now()/1000))\n", 10)).toBe(
      "2001 1000000000\r\n",
    );
  });

  test("a callback that loops for ever on the clock or a pin is broken off", () => {
    const { ask } = bench({ code: quiet });
    expect(ask("\x10setTimeout(function(){while(!digitalRead(BTN1));},1)\n", 200_000)).toBe(
      "Execution Interrupted\r\n",
    );
    expect(ask("\x10print(1)\n")).toBe("1\r\n");
  });

  test("with a limit of real time, so is one that just loops", () => {
    const { ask } = bench({ code: quiet, executionLimitMs: 50 });
    expect(ask("\x10setTimeout(function(){while(true);},1)\n")).toBe("Execution Interrupted\r\n");
    expect(ask("\x10print(1)\n")).toBe("1\r\n");
  });

  test("save() is refused", () => {
    expect(bench({ code: quiet }).ask("\x10save()\n")).toContain(
      "Uncaught Error: Cannot save: .bootcde file already exists. Please remove it first.",
    );
  });
});

describe("pins", () => {
  test("LEDs and buttons are there under their names, others are not defined", () => {
    const { ask } = bench({ code: quiet });
    expect(
      ask("\x10print(typeof LED1,typeof LED2,typeof LED3,typeof BTN,BTN===BTN1,LED1,B3,''+LED2)\n"),
    ).toBe("object object undefined object true LED1 B3 LED2\r\n");
  });

  test("outputs are heard outside with their time, inputs read inside", () => {
    const { ask, board, clock } = bench({ code: quiet });
    const seen: [string, number, number][] = [];
    board.onPin((pin, value, atUs) => seen.push([pin, value, Math.round((atUs - startUs) / 1000)]));
    const startUs = clock.now();
    ask(
      "\x10LED1.set();LED1.set();setTimeout(function(){digitalWrite(LED1,0);digitalWrite([LED2,LED1],1)},100)\n",
    );
    expect(seen).toEqual([
      ["LED1", 1, 0],
      ["LED1", 0, 100],
      ["LED1", 1, 100],
    ]);
    board.setInput("A5", 0.75);
    expect(ask("\x10print(analogRead(A5),digitalRead(A5),digitalRead(LED1),B1.read())\n")).toBe(
      "0.75 1 1 0\r\n",
    );
  });

  test("a watch on a button fires on the press, debounced by 25 ms, with the time of the edge", () => {
    const { ask, board, clock } = bench({ code: quiet });
    ask("\x10setWatch(function(e){print(e.state,Math.round(e.time*1000),e.pin)},BTN1,{repeat:true})\n");
    const pressedMs = Math.round(clock.now() / 1000);
    board.press("BTN1", 200);
    expect(ask("", 24)).toBe("");
    expect(ask("", 500)).toBe(`true ${pressedMs} BTN1\r\n`);
    board.press("BTN1", 200);
    expect(ask("", 500)).toContain("true");
  });

  test("the length of a press: falling edge, e.time - e.lastTime", () => {
    const { ask, board } = bench({ code: quiet });
    ask(
      '\x10setWatch(function(e){print(Math.round((e.time-e.lastTime)*1000))},BTN,{repeat:true,edge:"falling",debounce:30})\n',
    );
    board.press("BTN1", 700);
    expect(ask("", 1000)).toBe("700\r\n");
  });

  test("bounces shorter than the debounce count as one change; without debounce each edge counts", () => {
    const bounce = (debounce: number) => {
      const { ask, board, clock } = bench({ code: quiet });
      ask(`\x10var n=0;setWatch(function(){n++},A0,{repeat:true,edge:"both",debounce:${debounce}})\n`);
      for (let i = 0; i < 9; i++) {
        board.setInput("A0", i % 2 === 0 ? 1 : 0);
        clock.run(2);
      }
      clock.run(100);
      return Number(ask("\x10print(n)\n", 1));
    };
    expect(bounce(10)).toBe(1);
    expect(bounce(0)).toBe(9);
  });

  test("each bounce starts the debounce anew: the change counts when the level has rested", () => {
    const { ask, board, clock } = bench({ code: quiet });
    ask("\x10setWatch(function(e){print('rest',e.state)},A0,{repeat:true,edge:'both',debounce:10})\n");
    for (const [level, ms] of [
      [1, 8],
      [0, 1],
      [1, 8],
    ] as const) {
      board.setInput("A0", level);
      clock.run(ms);
    }
    expect(ask("", 1)).toBe("");
    expect(ask("", 3)).toBe("rest true\r\n");
  });

  test("without repeat a watch fires once; clearWatch ends one or all, an unknown id throws", () => {
    const { ask, board, clock } = bench({ code: quiet });
    ask(
      "\x10var n=0;setWatch(function(){n++},A0,{edge:'rising'});var w=setWatch(function(){n+=100},A1,true)\n",
    );
    const pulse = (pin: string) => {
      board.setInput(pin, 1);
      clock.run(5);
      board.setInput(pin, 0);
      clock.run(5);
    };
    for (const pin of ["A0", "A0", "A1"]) pulse(pin);
    expect(ask("\x10print(n);clearWatch(w)\n")).toBe("201\r\n");
    pulse("A1");
    expect(ask("\x10print(n)\n")).toBe("201\r\n");
    expect(ask("\x10clearWatch(w)\n")).toContain("Uncaught Error: Unknown Watch");
    expect(ask('\x10setWatch(function(){},A0,{edge:"foo"})\n')).toContain(
      "Uncaught TypeError: 'edge' in setWatch should be 1, -1, 0, 'rising', 'falling' or 'both'",
    );
  });

  test("a button that the board has not is named", () => {
    expect(() => bench().board.press("BTN2")).toThrow('Espruino Pico has no button "BTN2" (it has BTN1)');
  });
});

describe("flash", () => {
  test("a file is written once: bytes that are not 0xFF are refused, offset 0 makes it anew", () => {
    const { ask } = bench({ code: quiet });
    const run = (code: string) => ask(`\x10print(${code})\n`);
    ask('\x10var s=require("Storage")\n');
    expect(run('s.write("a","Hello",0,14)')).toBe("true\r\n");
    expect(run('s.write("a"," World",5)')).toBe("true\r\n");
    expect(run('s.write("a","x",5)')).toContain("Uncaught Error: File already written with different data");
    expect(run('JSON.stringify(s.read("a"))')).toContain('"Hello World');
    expect(run('s.write("a","new")')).toBe("true\r\n");
    expect(run('s.read("a")')).toBe("new\r\n");
    expect(run('s.read("a",1,1)')).toBe("e\r\n");
    expect(run('s.write("a","12345",2)')).toContain("Uncaught Error: Too much data for file size");
    expect(run('s.write("z","")')).toContain("Uncaught Error: Can't create zero length file");
    expect(run('s.write("no","x",5)')).toContain("Uncaught Error: Unable to find or create file");
  });

  test("names over 28 characters are cut without a word", () => {
    const { ask } = bench({ code: quiet });
    ask('\x10require("Storage").write("a-name-that-is-much-longer-than-28","x")\n');
    expect(ask("\x10print(require('Storage').list().join())\n")).toBe(
      ".bootcde,a-name-that-is-much-longer-t\r\n",
    );
    expect(ask("\x10print(require('Storage').read('a-name-that-is-much-longer-than-28'))\n")).toBe("x\r\n");
  });

  test("readJSON: missing gives undefined, bad text throws unless asked not to", () => {
    const { ask } = bench({ code: quiet });
    ask(
      '\x10var s=require("Storage");s.writeJSON("j",{id:3,"a-b":"x\\xff",n:[1,null]});s.write("bad","Hello")\n',
    );
    expect(ask('\x10print(s.read("j").length,JSON.stringify(s.readJSON("j")))\n')).toBe(
      '31 {"id":3,"a-b":"x\xff","n":[1,null]}\r\n',
    );
    expect(ask('\x10print(s.readJSON("none"),s.readJSON("bad",true))\n')).toBe("undefined undefined\r\n");
    expect(ask('\x10s.readJSON("bad")\n')).toContain("Uncaught SyntaxError: Expecting valid value, got ID");
  });

  test("what writeJSON writes the lenient reader reads back", () => {
    const { ask, board } = bench({ code: quiet });
    fc.assert(
      // In the text of a program `__proto__` names no key, and on a console DEL takes a character back.
      fc.property(
        fc.json({ maxDepth: 3 }).filter((text) => !/__proto__/.test(text)),
        (text) => {
          // Bytes and whole numbers: a file has 11 decimals and no Unicode.
          const value: unknown = JSON.parse(text, (_, item: unknown) =>
            typeof item === "number" ? Math.trunc(item % 1e9) : item,
          );
          board.storage.erase("j");
          ask(
            `\x10require("Storage").writeJSON("j",${JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, "?")})\n`,
            5,
          );
          const written = Buffer.from(board.storage.read("j")!).toString("latin1");
          const want: unknown = JSON.parse(JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, "?"));
          expect(parseLiberal(written)).toEqual(want);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("flash that is full refuses and stays whole", () => {
    const storage = createStorage({ size: 1000 });
    storage.write("a", new Uint8Array(500));
    expect(() => storage.write("b", new Uint8Array(500))).toThrow(StorageError);
    expect(storage.list()).toEqual(["a"]);
    expect(storage.free()).toBeLessThan(500);
    storage.write("b", new Uint8Array(storage.free()));
  });

  test("a file of the host keeps it over the end of the process; junk in it is refused in one line", () => {
    const dir = mkdtempSync(join(tmpdir(), "flash-"));
    try {
      const file = join(dir, "a.json");
      createStorage({ file }).write("n", Uint8Array.from([1, 2, 255]));
      expect([...createStorage({ file }).read("n")!]).toEqual([1, 2, 255]);
      writeFileSync(file, "not json");
      expect(() => createStorage({ file })).toThrow(
        `${file}: not a storage file of an emulated board; remove it or name another`,
      );
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  test(".boot0 to .boot3 run first, also after reset()", () => {
    const { ask, board, clock, console } = bench({ code: "print('saved')" });
    for (const i of [3, 1, 0]) board.storage.write(`.boot${i}`, Buffer.from(`print('boot${i}')`));
    board.powerOff();
    console.take();
    board.powerOn();
    clock.run(1100);
    expect(console.take()).toContain("boot0\r\nboot1\r\nboot3\r\nsaved\r\n");
    expect(ask("reset()\n")).toMatch(/boot0\r\nboot1\r\nboot3\r\n(?!saved)/);
  });

  test("E.setBootCode runs at power-up and load(), not after reset(); with true after reset() too", () => {
    const { ask, board, clock, console } = bench();
    ask('E.setBootCode("print(11)")\n');
    expect(ask("reset()\n")).not.toContain("11\r\n");
    expect(ask("load()\n")).toContain("11\r\n");
    board.powerOff();
    console.take();
    board.powerOn();
    clock.run(1100);
    expect(console.take()).toContain("11\r\n");
    ask('E.setBootCode("print(12)",true)\n');
    expect(ask("reset()\n")).toContain("12\r\n");
  });
});

describe("power", () => {
  test("a power cycle loses RAM and keeps flash", () => {
    const { ask, board, clock } = bench({ code: quiet });
    ask("\x10var kept=1;require('Storage').write('f','x')\n");
    board.powerOff();
    clock.run(100);
    board.powerOn();
    clock.run(1100);
    expect(ask("\x10print(typeof kept,require('Storage').read('f'))\n")).toBe("undefined x\r\n");
  });

  test("outputs fall to 0 when power goes", () => {
    const { ask, board } = bench({ code: quiet });
    ask("\x10LED1.set()\n");
    const seen: unknown[] = [];
    board.onPin((pin, value) => seen.push([pin, value]));
    board.powerOff();
    expect(seen).toEqual([["LED1", 0]]);
  });

  test("a brown-out in the middle of a flash write leaves a part of the file and starts the board again", () => {
    const { ask, board, clock } = bench({ code: quiet });
    board.brownOut({ duringWriteAfter: 3 });
    ask("\x10try{require('Storage').write('f','0123456789')}catch(e){print('caught')};print('after')\n", 10);
    expect(board.powered).toBe(false);
    clock.run(2000);
    expect(board.powered).toBe(true);
    expect(ask("\x10print(JSON.stringify(require('Storage').read('f')))\n")).toBe(
      `${JSON.stringify(`012${"\xff".repeat(7)}`)}\r\n`,
    );
  });

  test("a boot delay: silent until then", () => {
    const { console, clock, board } = bench({
      code: "USB.setConsole(true);print('up')",
      bootDelayMs: 800,
      poweredOff: true,
    });
    board.powerOn();
    clock.run(790);
    expect(console.take()).toBe("");
    clock.run(20);
    expect(console.take()).toContain("up\r\n");
  });

  test("E.reboot() starts from power-up", () => {
    const { ask } = bench({ code: `${quiet}print('boot');var n=(typeof n=='undefined')?1:n+1` });
    expect(ask("\x10E.reboot();print('never')\n", 2000)).toContain("boot\r\n");
    expect(ask("\x10print(n)\n")).toBe("1\r\n");
  });

  test("a watchdog that the program does not kick restarts the board; kicked it does not", () => {
    const code = `${quiet}print('boot');E.enableWatchdog(1,false);var iv=setInterval(function(){E.kickWatchdog()},300)`;
    const { ask } = bench({ code });
    expect(ask("", 10_000)).toBe("");
    expect(ask("\x10clearInterval(iv)\n", 2500)).toContain("boot\r\n");
  });

  test("an automatic watchdog leaves a board alone whose main loop comes round", () => {
    const { ask } = bench({ code: `${quiet}print('boot');E.enableWatchdog(1)` });
    expect(ask("", 30_000)).toBe("");
  });

  test("an automatic watchdog bites a board that stands in the debugger", () => {
    const code = `USB.setConsole(true);print('boot');E.enableWatchdog(2);setInterval(function(){var t=getTime()+1;while(getTime()<t);},1500)`;
    const { ask, clock } = bench({ code });
    clock.run(700);
    expect(ask("\x03", 400)).toContain("debug>");
    expect(ask("", 5000)).toContain("boot\r\n");
  });

  test("after stop nothing is left on the clock", () => {
    const { ask, board, clock } = bench({ wired: true });
    ask("setInterval(function(){Serial1.write('x')},10);Serial1.setup(9600);0\n");
    board.stop();
    expect(clock.pending).toBe(0);
    board.powerOn();
    expect(board.powered).toBe(false);
  });

  test("a board type without USB has no USB and its console on the UART", () => {
    const { ask } = bench({ uartConsole: true, code: "print(typeof USB,process.env.CONSOLE)" });
    expect(ask("typeof USB\n")).toContain('="undefined"');
  });

  test("a board whose fallback console is USB keeps it there when nobody reads", () => {
    const profile = { ...picoProfile, uarts: uarts(2, 4096, 256), fallbackConsole: "USB" };
    const { board, clock, console } = bench({ profile });
    console.setReads(false);
    clock.run(10_000);
    expect(board.consoleDevice).toBe("USB");
  });
});
