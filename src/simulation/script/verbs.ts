/** What a script can make happen. A verb is one entry of a table. */
import { pollClocks } from "../../../firmware/clocks/berkeley.js";
import { askTime } from "../../../firmware/clocks/cristian.js";
import { sendStamped } from "../../../firmware/clocks/stamps.js";
import { acquire, free } from "../../../firmware/deadlock/edge-chasing.js";
import { elect, release, request, sendText } from "../../../firmware/station.js";
import type { Station } from "../../../firmware/types.d.ts";
import { RUNNING, type Simulation } from "../simulation.ts";
import { parseCount, parseMessage, position, positions } from "./arguments.ts";

export interface Verb {
  /** The arguments as a person reads them; those in brackets may be left out. */
  usage: string;
  about: string;
  /** Reads the arguments. @returns what to do when the time has come @throws UsageError */
  prepare(sim: Simulation, args: string[]): () => void;
}

export type Verbs = { [verb: string]: Verb };

/** A command to a station; a dead or stopped one takes none. */
function command(about: string, give: (sim: Simulation, station: Station) => void): Verb {
  return {
    usage: "ID[,ID...]|all",
    about,
    prepare: (sim, [ids = ""]) => {
      const to = positions(sim, ids);
      return () => {
        for (const p of to) tell(sim, p, (s) => give(sim, s));
      };
    },
  };
}

/** A command to one station about a number. */
function numbered(
  usage: string,
  about: string,
  what: string,
  give: (sim: Simulation, station: Station, n: number) => void,
): Verb {
  return {
    usage,
    about,
    prepare: (sim, [id = "", number = ""]) => {
      const p = position(sim, id);
      const n = parseCount(number, what, 0, 2 ** 31);
      return () => tell(sim, p, (s) => give(sim, s, n));
    },
  };
}

function tell(sim: Simulation, p: number, act: (station: Station) => void): void {
  if (sim.power[p] === RUNNING) act(sim.stations[p] as Station);
  else sim.note("refused", sim.plan.ids[p], "no-power");
}

/** What a person at a station can ask for. */
export const COMMAND_VERBS: Verbs = {
  request: command("the station asks for the critical section", request),
  release: command("the station leaves its critical section", release),
  elect: command("the station starts an election", elect),
  cristian: command("the station sets its clock by the coordinator's", askTime),
  berkeley: command("the coordinator moves all clocks to their average", pollClocks),
  stamp: numbered(
    "FROM TO",
    "a message with a Lamport, a vector and a hybrid timestamp",
    "a station's id",
    sendStamped,
  ),
  acquire: numbered(
    "ID RESOURCE",
    "the station asks for a resource, keeps what it has, and waits",
    "a resource",
    acquire,
  ),
  free: numbered("ID RESOURCE", "the station gives a resource back", "a resource", free),
  send: {
    usage: "FROM TO|255 TEXT",
    about: "text from one station to another, with the next token",
    prepare: (sim, [from = "", ...message]) => {
      const p = position(sim, from);
      const { to, text } = parseMessage(message);
      return () => tell(sim, p, (s) => sendText(sim, s, to, text));
    },
  },
};
