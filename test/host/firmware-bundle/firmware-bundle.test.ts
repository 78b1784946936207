import { type Program, parse } from "acorn";
import { describe, expect, test } from "vitest";
import { CONSOLE_VERSION } from "../../../firmware/board/console-version.js";
import { CORE } from "../../../firmware/protocols.js";
import { picoProfile } from "../../../src/emulator/hardware/profile.ts";
import { bundleFirmware } from "../../../src/host/firmware-bundle/bundle.ts";
import { declareFirst } from "../../../src/host/firmware-bundle/declare-first.ts";
import { inlineShortFunctions } from "../../../src/host/firmware-bundle/inline-functions.ts";
import { forOneStation } from "../../../src/host/firmware-bundle/one-station.ts";
import { inwardFields } from "../../../src/host/firmware-bundle/short-names.ts";
import { children } from "../../../src/host/firmware-bundle/syntax-tree.ts";
import { loadableNames } from "../../../src/protocols/registry.ts";
import { DEFAULT_PLAN, settingsOf } from "../../../src/simulation/plan.ts";
import { bench } from "../../emulator/bench.ts";
import { read } from "../../ground/files.ts";
import { checkFirmware, declaredGlobals } from "../../ground/firmware-language.ts";

const GLOBALS = declaredGlobals(read("firmware/board/espruino.d.ts"));
const tree = (text: string): Program => parse(text, { ecmaVersion: 2020, sourceType: "script" });

describe.each([
  ["the core alone", []],
  ["Bully and Ring", ["bully", "ring"]],
  ["everything", loadableNames()],
])("the boot code with %s", (_, protocols) => {
  const made = bundleFirmware(protocols);

  test("is ASCII on lines without a control character: 0x03 stops a board, 0x04 ends its Linux build", async () => {
    expect(await made).toMatch(/^[\x20-\x7e\n]+$/);
  });

  test("is written in what Espruino runs, nothing exported", async () => {
    expect(checkFirmware(await made, GLOBALS)).toEqual([]);
    expect(await made).not.toMatch(/\bexport\b|\bimport\b/);
  });

  test("has no comma in an index, which Espruino refuses, and no variable before its declaration", async () => {
    const program = tree(await made);
    expect(
      nodes(program).filter((n) => n.type === "MemberExpression" && n.property.type === "SequenceExpression"),
    ).toEqual([]);
    const before = nodes(program).length;
    expect(nodes(declareFirst(program))).toHaveLength(before);
  });

  test("gives no global the name of a pin", async () => {
    const names = tree(await made).body.flatMap((statement) =>
      statement.type === "VariableDeclaration"
        ? statement.declarations.map(({ id }) => (id.type === "Identifier" ? id.name : ""))
        : statement.type === "FunctionDeclaration"
          ? [statement.id.name]
          : [],
    );
    expect(names.filter((name) => /^[A-K]\d+$|^LED|^BTN/.test(name))).toEqual([]);
  });

  test("boots, answers who it is, and starts with a configuration", async () => {
    const { ask } = bench({ code: await made });
    const answer = ask("\x10echo(0)\n\x10station.info(7)\n");
    const [, n, json] =
      /^@\d+,info,(\d+),(.*)\*\w+\r$/m.exec(answer.replaceAll("\n>", "\n").replace(/^>/gm, "")) ?? [];
    expect(Number(n)).toBe(7);
    expect(JSON.parse(json ?? "")).toMatchObject({
      console: CONSOLE_VERSION,
      board: picoProfile.boardId,
      running: 0,
    });
    const config = { id: 2, wiring: "hub", settings: settingsOf({ ...DEFAULT_PLAN, ids: [1, 2, 3] }) };
    const started = ask(`\x10station.configure(8,${JSON.stringify(JSON.stringify(config))})\n`, 100);
    expect(started).toMatch(/@\d+,ack,8\*\w+\r\n/);
    expect(started).toMatch(/@\d+,tx,\$HEL,2,253,\d+\*[0-9A-F]{8}\*\w+\r\n/);
    expect(ask("\x10station.info(9)\n")).toContain('"id":2');
  });
});

test.each(["bully", "ring", "chang-roberts"])(
  "a board that carries all elections holds the one it is told: %s",
  async (election) => {
    const { ask } = bench({ code: await bundleFirmware(["bully", "ring", "chang-roberts"]) });
    const settings = settingsOf({ ...DEFAULT_PLAN, ids: [1, 2, 3], election });
    ask("\x10echo(0)\n");
    ask(
      `\x10station.configure(1,${JSON.stringify(JSON.stringify({ id: 2, wiring: "hub", settings }))})\n`,
      100,
    );
    expect(ask("\x10station.elect(2)\n", 100)).toMatch(/@\d+,elect,\d+,asked\*\w+\r\n@\d+,sent,ELECTION,/);
  },
);

test("settings that name LEDs and a button that the board lacks do no harm, the others work", async () => {
  const { ask, board } = bench({ code: await bundleFirmware(["bully"]) });
  const settings = settingsOf({ ...DEFAULT_PLAN, ids: [2], holdMs: 1e6 });
  const config = { id: 2, wiring: "hub", settings, leds: ["LED8", "LED9", "LED2"], button: "BTN7" };
  ask("\x10echo(0)\n\x10station.attach(1,0)\n");
  expect(ask(`\x10station.configure(2,${JSON.stringify(JSON.stringify(config))})\n`)).not.toContain("bad");
  expect(ask("\x10station.elect(3)\n")).not.toMatch(/bad|Uncaught/);
  // The third shows the coordinator, which a station that is alone becomes at once.
  expect(board.read("LED2")).toBe(1);
});

test("a protocol is loadable because protocols.js lists it", () => {
  expect(loadableNames()).toEqual(expect.arrayContaining(["bully", "ring", "chang-roberts"]));
  for (const { name } of CORE) expect(loadableNames()).not.toContain(name);
});

test("an unknown protocol is refused", async () => {
  await expect(bundleFirmware(["bully", "paxos"])).rejects.toThrow("no protocol paxos");
});

test("the token ring, Ring and Bully fit beside their settings in the 16 kB of the smallest board", async () => {
  expect((await bundleFirmware(["bully", "ring"])).length).toBeLessThan(15_360);
});

test("what the host writes keeps its name: settings, calls, timers, frame types", () => {
  const fields = inwardFields();
  expect(fields).toEqual(expect.arrayContaining(["handle", "monitorAt", "lastProbe", "wants"]));
  for (const name of [
    "settings",
    "election",
    "mutex",
    "criticalMs",
    "standby",
    "release",
    "TOK",
    "hold",
    "id",
  ])
    expect(fields).not.toContain(name);
});

test("a value that stands for the one station may not be handed over elsewhere than first", () => {
  expect(() => forOneStation(tree("function f(a, s) { return a; }"))).toThrow("s must come first");
  expect(() => forOneStation(tree("show(config, s);"))).toThrow("s must come first");
});

test("a function is written out where it is called, unless it is handed over, called in a loop or by itself", () => {
  const short = (text: string) => {
    const program = inlineShortFunctions(tree(text));
    return program.body.filter((n) => n.type === "FunctionDeclaration").map((n) => n.id?.name);
  };
  expect(short("function f(a) { g(a); } f(1); f(2);")).toEqual([]);
  expect(short("function f(a) { g(a); } f(1); f(2); h(f);")).toEqual(["f"]);
  expect(short("function f(a) { g(a); } f(1); for (;;) f(2);")).toEqual(["f"]);
  expect(short("function f(a) { f(a); } f(1); f(2);")).toEqual(["f"]);
  expect(short("function f(a) { g(a); } function g(a) { f(a); } f(1); f(2); g(3);")).toEqual(["f", "g"]);
});

test("a variable is declared before its first use: Espruino hoists nothing", () => {
  const first = (text: string) => {
    const f = declareFirst(tree(text)).body[0];
    const line = f?.type === "FunctionDeclaration" ? f.body.body[0] : undefined;
    return line?.type === "VariableDeclaration"
      ? line.declarations.map(({ id }) => id.type === "Identifier" && id.name)
      : [];
  };
  expect(first("function f() { a = 1; if (a) { b = 2; } var a, b; }")).toEqual(["a", "b"]);
  expect(first("function f() { try { a = 1; } catch (e) {} for (var a in o); }")).toEqual(["a"]);
  expect(first("function f() { g(a.b, { c: 1 }); var b, c; }")).toEqual([]);
  expect(first("function f() { h(function () { var a; return a; }); var a; }")).toEqual([]);
});

function nodes(node: Parameters<typeof children>[0]): Parameters<typeof children>[0][] {
  return [node, ...children(node).flatMap(nodes)];
}
