/** Every algorithm on Espruino's own interpreter: it says word for word what Node says. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect } from "vitest";
import { MUTEXES } from "../../firmware/protocols.js";
import { espruinoTest } from "../tools.ts";

const FIRMWARE = fileURLToPath(new URL("../../firmware/", import.meta.url));

/** Four stations in one interpreter, with a ring and a clock of its own, written in what Espruino runs. */
const DRIVER = `
import { installAll, MUTEXES } from "./protocols.js";
import { createStation, boot, elect, handleFrame, handleTimer, request } from "./station.js";
import { computeLimits } from "./limits.js";
import { askTime } from "./clocks/cristian.js";
import { pollClocks } from "./clocks/berkeley.js";
import { sendStamped } from "./clocks/stamps.js";
import { acquire } from "./deadlock/edge-chasing.js";
import { quorumOf } from "./mutex/maekawa.js";

installAll();
const ids = [1, 2, 3, 4];
const limits = computeLimits({ stations: 4, baud: 115200, lines: 1, boardMs: 1, hostMs: 0, holdMs: 1 });
limits.standby = 1e9;
limits.quiet = 1e9;
let now = 0;
let order = 0;
let queue = [];
let timers = {};
let said = [];
let stations = [];

function later(t, act) {
  order++;
  queue.push({ t: t, order: order, act: act });
}
const io = {
  send: function (s, f) {
    const to = stations[s.id % 4];
    const copy = { type: f.type, src: f.src, dst: f.dst, args: f.args.slice(), flags: f.flags };
    later(now + 2, function () { handleFrame(io, to, copy); });
  },
  arm: function (s, name, ms) {
    const mine = {};
    timers[s.id + name] = mine;
    later(now + ms, function () {
      if (timers[s.id + name] !== mine) return;
      timers[s.id + name] = 0;
      handleTimer(io, s, name);
    });
  },
  disarm: function (s, name) { timers[s.id + name] = 0; },
  record: function (s, event, a, b, c) { said.push([s.id, event, a, b, c].join(" ").trim()); },
  now: function () { return now; },
  random: function () { return 0.37; },
};
function first() {
  let best = 0;
  for (let i = 1; i < queue.length; i++) {
    const one = queue[i];
    if (one.t < queue[best].t || (one.t === queue[best].t && one.order < queue[best].order)) best = i;
  }
  return best;
}
function runUntil(t) {
  while (queue.length && queue[first()].t <= t) {
    const next = queue.splice(first(), 1)[0];
    now = Math.max(now, next.t);
    next.act();
  }
  now = t;
}
MUTEXES.forEach(function (mutex) {
  now = 0;
  queue = [];
  timers = {};
  said = [];
  const settings = { members: ids, election: "chang-roberts", mutex: mutex.name, holdMs: 1, criticalMs: 5,
    leaseMs: 0, preemptMs: -1, step: 256, limits: limits };
  stations = ids.map(function (id) { return createStation(id, settings); });
  stations.forEach(function (s) { boot(io, s, s.id, 0); });
  elect(io, stations[3]);
  runUntil(500);
  [2, 4, 1].forEach(function (id) { request(io, stations[id - 1]); });
  runUntil(1000);
  askTime(io, stations[0]);
  pollClocks(io, stations[3]);
  sendStamped(io, stations[0], 2);
  acquire(io, stations[0], 0);
  acquire(io, stations[1], 1);
  runUntil(1200);
  sendStamped(io, stations[1], 3);
  acquire(io, stations[0], 1);
  acquire(io, stations[1], 0);
  runUntil(1500);
  print("## " + mutex.name);
  said.forEach(function (line) { print("# " + line); });
});
// A root that is not exact would make the quorums of 9, 81, 100 and 121 stations larger.
const members = [];
for (let n = 1; n <= 150; n++) {
  members.push(n);
  print("# quorums of " + n + ": " + quorumOf(members, 1).length + " and " + quorumOf(members, n).length);
}
`;

espruinoTest(
  "all algorithms run on the interpreter as they do on Node",
  async (binary) => {
    const { outputFiles } = await build({
      stdin: { contents: DRIVER, resolveDir: FIRMWARE, loader: "js" },
      bundle: true,
      write: false,
      format: "cjs",
      target: "es2015",
      charset: "ascii",
    });
    const code = outputFiles[0]?.text ?? "";
    const folder = mkdtempSync(join(tmpdir(), "interpreter-"));
    try {
      const file = join(folder, "all.js");
      writeFileSync(file, code);
      const options = { encoding: "utf8", timeout: 120_000 } as const;
      const script = `global.print = console.log; require(${JSON.stringify(file)})`;
      const node = linesOf(execFileSync(process.execPath, ["-e", script], options));
      const interpreter = linesOf(execFileSync(binary, [file], options));
      expect(node.filter((line) => line.startsWith("##"))).toHaveLength(MUTEXES.length);
      expect(node.filter((line) => / enter /.test(line))).toHaveLength(3 * MUTEXES.length);
      expect(node.filter((line) => / deadlock /.test(line)).length).toBeGreaterThanOrEqual(MUTEXES.length);
      expect(interpreter).toEqual(node);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  150_000,
);

function linesOf(output: string): string[] {
  return output.split(/\r?\n/).filter((line) => line.startsWith("#"));
}
