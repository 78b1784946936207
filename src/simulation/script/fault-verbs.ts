/** Every fault that a script can inject, and what ends it. Each is recorded as a `fault` when it happens. */
import type { Frame } from "../../../firmware/types.d.ts";
import { UsageError } from "../../errors.ts";
import { Twin } from "../duplicate-id.ts";
import type { LinkFaultKind } from "../link-faults.ts";
import { frameRule, noiseRule } from "../link-rules.ts";
import { bypass, crash, cutLink, deafen, goOn, insert, mendLink, restart, stop } from "../power.ts";
import { DEAD, RUNNING, type Simulation, STOPPED } from "../simulation.ts";
import {
  type Members,
  parseFrame,
  parseFrameType,
  parseNumber,
  parseSignedTime,
  parseTime,
  position,
  positions,
} from "./arguments.ts";
import type { Verb, Verbs } from "./verbs.ts";

const STATIONS = "ID[,ID...]|all";

type Act = (sim: Simulation, position: number) => void;

/** A fault of stations. `parse` reads what follows the ids. */
function onStations(kind: string, usage: string, about: string, parse: (args: string[]) => Act): Verb {
  return {
    usage: `${STATIONS}${usage}`,
    about,
    prepare: (sim, [ids = "", ...args]) => {
      const at = positions(sim, ids);
      const act = parse(args);
      return () => {
        for (const p of at) {
          sim.note("fault", sim.plan.ids[p], kind, args.join(" "));
          act(sim, p);
        }
      };
    },
  };
}

/** A fault of the next frames on the link that leaves a station. */
function onFrames(kind: LinkFaultKind, about: string): Verb {
  return onStations(kind, `${kind === "delay" ? " TIME" : ""} [COUNT] [TYPE]`, about, (args) => {
    const rule = frameRule(kind, args);
    return (sim, p) => sim.linkFaults.add({ ...rule, position: p });
  });
}

/** @param text groups of stations, `1,2,3/4,5` @returns a number of group per position @throws UsageError */
export function groupsOf(sim: Members, text: string): number[] {
  const groups = new Array<number>(sim.plan.ids.length).fill(-1);
  text.split("/").forEach((ids, group) => {
    for (const p of positions(sim, ids)) {
      if (groups[p] !== -1 && groups[p] !== group)
        throw new UsageError(`partition ${text} has station ${sim.plan.ids[p]} on both sides`);
      groups[p] = group;
    }
  });
  if (groups.includes(-1)) {
    throw new UsageError(
      `partition ${text} leaves out station ${sim.plan.ids[groups.indexOf(-1)]}: name them all`,
    );
  }
  return groups;
}

/** Ends every fault. Stations among `left` stay dead, or hanging. */
function calm(sim: Simulation, left: readonly number[]): void {
  sim.linkFaults.clear();
  sim.mau.heal();
  sim.endIntercepts();
  for (let p = 0; p < sim.plan.ids.length; p++) {
    sim.medium.boardMicros[p] = sim.plan.boardMicros;
    sim.drift(p, 1);
    mendLink(sim, p);
    if (left.includes(p)) continue;
    if (sim.power[p] === STOPPED) {
      sim.note("fault", sim.plan.ids[p], "resume");
      goOn(sim, p);
    } else if (sim.power[p] === RUNNING) insert(sim, p, "relay");
    else restart(sim, p);
  }
}

function joinTwin(sim: Simulation, id: number, after: number): void {
  const to = sim.mau.successor(after);
  const twin = new Twin(sim, id, to);
  twin.powerUp();
}

/** The last frame that went from a station to its successor. */
function lastFrame(sim: Simulation, p: number, type: string): Frame | null {
  const { records } = sim;
  const id = sim.plan.ids[p];
  for (let i = records.length - 1; i >= 0; i--) {
    if (records.event[i] !== 0 || records.station[i] !== id) continue;
    const frame = records.frame(i);
    if (frame.type === type) return frame;
  }
  return null;
}

export const FAULT_VERBS: Verbs = {
  crash: onStations("crash", "", "power fails, the state is gone", () => crash),
  restart: onStations("restart", "", "power returns; a running station loses its state", () => restart),
  twin: {
    usage: "ID [AFTER]",
    about: "a second board with the id of a station powers up, behind that or another station",
    prepare: (sim, [id = "", after = id]) => {
      const first = position(sim, id);
      const number = sim.plan.ids[first] as number;
      const p = position(sim, after);
      return () => {
        sim.note("fault", number, "twin", after);
        // Where its first board is out of the ring a second one would take its place, not its id.
        if (sim.power[first] !== RUNNING || !sim.mau.isInserted(first))
          sim.note("refused", number, "no-twin");
        // A hub knows who is on its ports already; on a wired ring the stations have to find out.
        else if (sim.plan.wiring === "hub")
          sim.note("refused", number, "duplicate", "the second board", "the first");
        else joinTwin(sim, number, p);
      };
    },
  },
  late: onStations("late", " TIME", "the station has no power yet; it comes so much later", ([time = ""]) => {
    const micros = parseTime(time);
    return (sim, p) => {
      crash(sim, p);
      sim.at(sim.clock.now + micros, () => {
        if (sim.power[p] === DEAD) restart(sim, p);
      });
    };
  }),
  hang: onStations("hang", "", "powered, but deaf and mute", () => (sim, p) => stop(sim, p)),
  resume: onStations("resume", "", "a hanging station goes on", () => goOn),
  pause: onStations("pause", " TIME", "the processor stands still for a time", ([time = ""]) => {
    const micros = parseTime(time);
    return (sim, p) => stop(sim, p, micros);
  }),
  slow: onStations("slow", " FACTOR", "the board takes so many times longer for a frame", ([text = ""]) => {
    const factor = parseNumber(text, "a factor", 0.01, 1000);
    return (sim, p) => {
      sim.medium.boardMicros[p] = sim.plan.boardMicros * factor;
    };
  }),
  drift: onStations(
    "drift",
    " PPM",
    "the station's clock runs fast, or slow when negative",
    ([text = ""]) => {
      const ppm = parseNumber(text, "parts per million", -900_000, 900_000);
      return (sim, p) => sim.drift(p, 1 + ppm / 1e6);
    },
  ),
  jump: onStations("jump", " TIME", "the station's clock is set forward, or back: -2s", ([time = ""]) => {
    const micros = parseSignedTime(time);
    return (sim, p) => sim.jump(p, micros);
  }),
  cut: onStations("cut", "", "the link from the station to its successor breaks", () => cutLink),
  deafen: onStations("deafen", "", "nothing reaches the station, though it may send", () => deafen),
  mend: onStations("mend", "", "the links of the station are whole again", () => mendLink),
  bypass: onStations(
    "bypass",
    "",
    "a relay takes the station out of the ring",
    () => (sim, p) => bypass(sim, p, "relay"),
  ),
  insert: onStations("insert", "", "the relay puts the station back", () => (sim, p) => {
    // A hub inserts only what it can hear.
    if (sim.plan.wiring !== "hub" || sim.power[p] === RUNNING) insert(sim, p, "relay");
  }),
  partition: {
    usage: "ID,ID.../ID,ID...",
    about: "the ring falls into rings of their own",
    prepare: (sim, [text = ""]) => {
      const groups = groupsOf(sim, text);
      return () => {
        sim.note("fault", undefined, "partition", text);
        sim.mau.partition(groups);
      };
    },
  },
  heal: {
    usage: "",
    about: "they are one ring again",
    prepare: (sim) => () => {
      sim.note("fault", undefined, "heal");
      sim.mau.heal();
    },
  },
  calm: {
    usage: "[ID,ID...]",
    about: "every fault ends; dead stations start again; those named stay dead, or hanging",
    prepare: (sim, [ids]) => {
      const left = ids === undefined ? [] : positions(sim, ids);
      return () => {
        sim.note("fault", undefined, "calm", ids ?? "");
        calm(sim, left);
      };
    },
  },
  drop: onFrames("drop", "the next frames on the link from the station are lost"),
  corrupt: onFrames("corrupt", "a bit of each of the next frames is flipped"),
  duplicate: onFrames("duplicate", "the next frames arrive twice"),
  delay: onFrames("delay", "the next frames are late, and all behind them"),
  noise: onStations(
    "noise",
    " PERCENT TIME",
    "for a time frames are dropped, corrupted, doubled or late at random",
    (args) => {
      const rule = noiseRule(args);
      return (sim, p) =>
        sim.linkFaults.add({ ...rule(sim.clock.now, sim.settings.limits.rotation), position: p });
    },
  ),
  inject: {
    usage: "ID FRAME",
    about: "a frame that nobody sent leaves the station: TOK,3,253,258,912,57",
    prepare: (sim, [id = "", text = ""]) => {
      const p = position(sim, id);
      const frame = parseFrame(text);
      return () => {
        sim.note("fault", sim.plan.ids[p], "inject", text);
        sim.medium.inject(p, frame);
      };
    },
  },
  replay: onStations(
    "replay",
    " [TYPE]",
    "the last such frame (TOK) that left the station comes again",
    ([text]) => {
      const type = parseFrameType(text ?? "TOK");
      return (sim, p) => {
        const frame = lastFrame(sim, p, type);
        if (frame) sim.medium.inject(p, { ...frame, args: frame.args.slice() });
      };
    },
  ),
};
