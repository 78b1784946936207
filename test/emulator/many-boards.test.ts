/** A hundred boards in one process: no polling, and the same run every time. */
import { describe, expect, test } from "vitest";
import { ringWires } from "../../src/emulator/hardware/ports.ts";
import { bench, VirtualClock } from "./bench.ts";

/** Passes a checked line on and counts its hops. */
const relay = `USB.setConsole(true);echo(0);Serial1.setup(115200);var line="",hops=0,at=[];
Serial1.on("data",function(d){
  line+=d;
  var i=line.indexOf("\\n");
  if(i<0)return;
  var part=line.substr(0,i).split("*");
  line=line.substr(i+1);
  if(E.CRC32(part[0]).toString(16)!==part[1])return;
  hops++;
  at.push(Math.round(getTime()*1e6));
  send(+part[0]+1);
});
function send(n){n=""+n;Serial1.write(n+"*"+E.CRC32(n).toString(16)+"\\n")}`;

function ring(stations: number, executionUs = 0) {
  const clock = new VirtualClock();
  const wires = ringWires(stations);
  const boards = wires.ports.map((port, i) => {
    const made = bench({
      clock,
      uarts: { Serial1: port },
      seed: i,
      code: relay,
      executionUs,
      poweredOff: true,
    });
    made.board.powerOn();
    return made;
  });
  clock.run(2000);
  return { clock, boards };
}

describe("a ring of a hundred boards", () => {
  test("idle, it costs nothing: an hour passes without one event", () => {
    const { clock } = ring(100);
    const before = clock.fired;
    clock.run(3_600_000);
    expect(clock.fired - before).toBe(0);
  });

  test("one frame goes round with about ten events a hop, none lost, and the same again in a second run", () => {
    const run = () => {
      const { clock, boards } = ring(100);
      boards[0]!.console.send("\x10send(1)\n");
      const before = clock.fired;
      clock.run(3000);
      const events = clock.fired - before;
      const answers = boards.map(({ ask }) => ask("\x10print(hops,JSON.stringify(at.slice(-1)))\n", 1));
      const hops = answers.reduce((sum, answer) => sum + Number.parseInt(answer, 10), 0);
      return { answers, hops, events };
    };
    const first = run();
    expect(first.hops).toBeGreaterThan(1000);
    expect(first.events / first.hops).toBeLessThan(12);
    expect(run()).toEqual(first);
  });

  test("with 6.5 ms of board time a frame, as on a Pico, a ring does about a hundred hops a second", () => {
    const { clock, boards } = ring(4, 6500);
    boards[0]!.console.send("\x10send(1)\n");
    clock.run(10_000);
    const hops = boards.reduce((sum, { ask }) => sum + Number.parseInt(ask("\x10print(hops)\n", 100), 10), 0);
    // The estimate for a Pico is 7 to 9 ms a hop and the wire; this frame arrives in several pieces, each a callback.
    expect(hops / 10).toBeGreaterThan(40);
    expect(hops / 10).toBeLessThan(140);
  });
});
