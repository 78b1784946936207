import { describe, expect, test } from "vitest";
import { request } from "../../firmware/station.js";
import { crash, cutLink, goOn, mendLink, restart, silenceMicros, stop } from "../../src/simulation/power.ts";
import type { Simulation } from "../../src/simulation/simulation.ts";
import { DEAD, RUNNING, STOPPED } from "../../src/simulation/simulation.ts";
import { eventsOf, framesOf, hello, quietRing } from "./rings.ts";

/** What happened to stations, but for the announcement of the fault itself. */
const said = (sim: Simulation) =>
  eventsOf(sim)
    .filter(({ event }) => event !== "fault")
    .map(({ event, station, fields }) => [event, station, ...Object.values(fields)]);

/** Where a frame of each station goes. */
function successors(sim: Simulation): number[] {
  return sim.plan.ids.map((_, i) => sim.plan.ids[sim.mau.successor(i)] as number);
}

describe("on a hub", () => {
  test("a crashed station is bypassed at once, and inserted when its power is back", () => {
    const sim = quietRing();
    crash(sim, 2);
    crash(sim, 2);
    expect(successors(sim)).toEqual([2, 4, 4, 5, 1]);
    restart(sim, 2);
    expect(successors(sim)).toEqual([2, 3, 4, 5, 1]);
    expect(said(sim)).toEqual([
      ["crash", 3, "power"],
      ["bypass", 3, "closed"],
      ["restart", 3],
      ["insert", 3, "open"],
    ]);
  });

  test("a station that hangs is bypassed after the silence limit, and inserted when it goes on", () => {
    const sim = quietRing();
    stop(sim, 2);
    sim.runUntil(silenceMicros(sim) - 1);
    expect(successors(sim)).toEqual([2, 3, 4, 5, 1]);
    sim.runUntil(silenceMicros(sim));
    expect(successors(sim)).toEqual([2, 4, 4, 5, 1]);
    goOn(sim, 2);
    expect(successors(sim)).toEqual([2, 3, 4, 5, 1]);
    expect(said(sim)).toEqual([
      ["bypass", 3, "silent"],
      ["insert", 3, "back"],
    ]);
  });

  test("a pause shorter than the silence limit bypasses nobody", () => {
    const sim = quietRing();
    stop(sim, 2, silenceMicros(sim) - 1);
    sim.runUntil(2 * silenceMicros(sim));
    expect(sim.power[2]).toBe(RUNNING);
    expect(said(sim)).toEqual([]);
  });

  test("a station whose line is cut is heard by nobody, and bypassed after the silence limit", () => {
    const sim = quietRing();
    cutLink(sim, 2);
    sim.medium.send(2, hello(3, 1));
    sim.medium.send(1, hello(2, 1));
    sim.runUntil(silenceMicros(sim));
    mendLink(sim, 2);
    expect(framesOf(sim).map(({ event, from, to }) => [event, from, to])).toEqual([
      ["dropped", 3, 4],
      ["hop", 2, 3],
    ]);
    expect(said(sim).slice(1)).toEqual([
      ["bypass", 3, "silent"],
      ["insert", 3, "back"],
    ]);
  });

  test("the frames of the station before a bypassed one go past it; insertion flushes what was under way", () => {
    const sim = quietRing();
    crash(sim, 2);
    sim.medium.send(1, hello(2, 1));
    sim.runUntil(1_000_000);
    expect(framesOf(sim).at(-1)).toMatchObject({ event: "hop", from: 2, to: 4 });
    sim.mau.insert(2);
    sim.medium.send(1, hello(2, 2));
    sim.mau.bypass(2);
    restart(sim, 2);
    expect(framesOf(sim).at(-1)).toMatchObject({ event: "dropped", from: 2, to: 3, took: 0 });
    sim.runUntil(1_100_000);
    expect(
      framesOf(sim).filter(({ event, to, type }) => event === "hop" && to === 3 && type === "HEL"),
    ).toEqual([]);
  });
});

describe("on a wired ring", () => {
  test("nobody is bypassed: what goes to a dead, hanging or cut-off station is lost", () => {
    const sim = quietRing({ wiring: "wired" });
    crash(sim, 1);
    stop(sim, 3);
    cutLink(sim, 4);
    for (const [position, id] of [
      [0, 1],
      [2, 3],
      [4, 5],
    ] as const)
      sim.medium.send(position, hello(id, 1));
    sim.runUntil(10 * silenceMicros(sim));
    expect(framesOf(sim).map(({ event, from, to }) => [event, from, to])).toEqual([
      ["dropped", 1, 2],
      ["dropped", 3, 4],
      ["dropped", 5, 1],
    ]);
    expect(said(sim)).toEqual([["crash", 2, "power"]]);
  });
});

describe("a station", () => {
  test("has lost its state and its timers when its power fails", () => {
    const sim = quietRing();
    sim.bootAll();
    const before = sim.stations[2];
    request(sim, sim.station(3));
    expect(sim.timers.deadline(2, "standby")).toBeLessThan(Infinity);
    crash(sim, 2);
    expect(sim.power[2]).toBe(DEAD);
    expect(sim.timers.deadline(2, "standby")).toBe(Infinity);
    restart(sim, 2);
    expect(sim.station(3)).not.toBe(before);
    expect(sim.station(3)).toMatchObject({ id: 3, wants: false, joined: false });
  });

  test("has a new boot id after a restart: it is the same station, started again (ansible/receptor#19)", () => {
    const sim = quietRing();
    sim.bootAll();
    const { bootId } = sim.station(3);
    restart(sim, 2);
    expect(sim.station(3).bootId).not.toBe(bootId);
    expect(said(sim).slice(0, 2)).toEqual([
      ["crash", 3, "power"],
      ["bypass", 3, "closed"],
    ]);
  });

  test("that hangs keeps its state; restarted, it has lost it, and the next pause holds its timers again", () => {
    const sim = quietRing();
    sim.bootAll();
    sim.station(3).wants = true;
    stop(sim, 2);
    expect(sim.power[2]).toBe(STOPPED);
    expect(sim.station(3).wants).toBe(true);
    restart(sim, 2);
    expect(sim.power[2]).toBe(RUNNING);
    expect(sim.station(3).wants).toBe(false);
    stop(sim, 2);
    expect(sim.timers.deadline(2, "standby")).toBe(Infinity);
  });

  test("that is alone hears its own frames", () => {
    const sim = quietRing({ ids: [7] });
    sim.medium.send(0, hello(7, 3));
    sim.runUntil(1_000_000);
    expect(framesOf(sim)).toMatchObject([{ event: "hop", from: 7, to: 7 }]);
    expect(said(sim)).toEqual([["hello", 7, 7, 3]]);
  });
});
