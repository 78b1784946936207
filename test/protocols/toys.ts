/** Algorithms that nobody has heard of, each in two files in a folder of its own: what stations run, and its descriptor. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { read } from "../ground/files.ts";

const FIRMWARE = new URL("../../firmware/", import.meta.url).pathname;
const TEXTBOOK = new URL("../../src/textbook/", import.meta.url).pathname;

/** Asks everybody and waits for all: 2(N-1) messages. Its OK is no OK of an election. */
const POLITE = `
import { message } from "${FIRMWARE}adapter.js";
import { enter } from "${FIRMWARE}critical-section.js";
import { arrived, messageAll, others, remove, waitsFor } from "${FIRMWARE}members.js";

function tryToEnter(io, s) {
  if (s.wants && !s.polite.missing.length) enter(io, s, s.polite.stamp, s.id);
}

function onPlease(io, s, f) {
  const p = s.polite;
  const stamp = f.args[0];
  const first = s.inside || (s.wants && (p.stamp < stamp || (p.stamp === stamp && s.id < f.src)));
  p.clock = Math.max(p.clock, stamp);
  if (first) p.later.push(f.src, stamp);
  else message(io, s, "XOK", f.src, [stamp], false);
}

function onOk(io, s, f) {
  if (f.args[0] === s.polite.stamp && remove(s.polite.missing, f.src)) tryToEnter(io, s);
}

export const polite = {
  name: "polite",
  create: function (s) {
    s.polite = { clock: 0, stamp: 0, missing: [], later: [] };
  },
  frames: {
    XPL: { args: 1, fields: ["wish"], handle: onPlease, returned: arrived, message: "PLEASE" },
    XOK: { args: 1, fields: ["granted"], handle: onOk, message: "OK" },
  },
  timers: {},
  mutex: {
    request: function (io, s) {
      const p = s.polite;
      p.clock++;
      p.stamp = p.clock;
      p.missing = others(s);
      messageAll(io, s, "XPL", p.missing, [p.stamp]);
      tryToEnter(io, s);
    },
    release: function (io, s) {
      const later = s.polite.later;
      s.polite.later = [];
      for (let i = 0; i < later.length; i += 2) message(io, s, "XOK", later[i], [later[i + 1]], false);
    },
  },
  traits: { fence: ["wish", "id"], waits: (s) => waitsFor(s.polite.missing, "OK") },
};
`;

const POLITE_DESCRIPTOR = `
import { exactly } from "${TEXTBOOK}bounds.ts";

export const descriptor = {
  name: "polite",
  kind: "mutual exclusion",
  title: "Polite",
  source: "a test, 2000",
  messages: "2(N-1) an entry",
  order: "by (wish, id)",
  breaks: "any dead station",
  scenario: "ringlab mutex --algorithm polite",
  theory: ({ ids, contenders }) => exactly(2 * (ids.length - 1) * contenders.length, "PLEASE and OK"),
  cases: (ids) => [{ name: "the first", requester: ids[0] }],
};
`;

/** The same with a mistake: OK to everybody at once, also from inside. */
const renamed = (text: string) =>
  text
    .replaceAll("polite", "hasty")
    .replaceAll("XPL", "XHP")
    .replaceAll("XOK", "XHO")
    .replace("Polite", "Hasty");
const HASTY = renamed(POLITE).replace(/const first = .*;/, "const first = false;");

/** The Ring election under other names. */
function roundabout(): string {
  return read("firmware/election/ring-election.js")
    .replaceAll('from "../', `from "${FIRMWARE}`)
    .replaceAll('from "./', `from "${FIRMWARE}election/`)
    .replaceAll("ELN", "XEL")
    .replaceAll("CRD", "XCO")
    .replaceAll("s.ring", "s.roundabout")
    .replaceAll('"list"', '"roundabout"')
    .replaceAll("list: ", "roundabout: ")
    .replaceAll('message: "ELECTION"', 'message: "WHO"')
    .replace('name: "ring"', 'name: "roundabout"')
    .replace("export const ringElection", "export const roundabout")
    .replace('["election", "ids..."]', '["election", "travellers..."]');
}

const ROUNDABOUT_DESCRIPTOR = `
export const descriptor = {
  name: "roundabout",
  kind: "election",
  title: "Roundabout",
  source: "a test, 2000",
  messages: "2m for each starter",
  order: "the highest live id wins",
  breaks: "a break of the ring",
  scenario: "ringlab elect --algorithm roundabout",
  theory: ({ ids, down, starters }) => {
    const total = 2 * (ids.length - down.length) * starters.length;
    return { least: total, most: total, formula: "WHO and COORDINATOR, each once round" };
  },
  rings: [{ stations: 6, down: [6] }],
};
`;

/** @returns the paths of each algorithm's two files */
export function toyFiles(): [protocol: string, descriptor: string][] {
  const folder = mkdtempSync(join(tmpdir(), "ringlab-toys-"));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return [
    [file("polite.mjs", POLITE), file("polite-descriptor.mjs", POLITE_DESCRIPTOR)],
    [file("hasty.mjs", HASTY), file("hasty-descriptor.mjs", renamed(POLITE_DESCRIPTOR))],
    [file("roundabout.mjs", roundabout()), file("roundabout-descriptor.mjs", ROUNDABOUT_DESCRIPTOR)],
  ];
}
