/** The actions of a script on a ring of boards: commands, faults that boards make, and those that the host of a hub makes. */
import { quote, UsageError } from "../../errors.ts";
import { parseMessage, position, positions } from "../../simulation/script/arguments.ts";
import type { Action } from "../../simulation/script/script.ts";
import type { BenchRing } from "../bench/bench-ring.ts";
import { BOARD_FAULTS, type BoardVerb, type BoardVerbs, conditionOf, type Target } from "./board-faults.ts";
import type { RingStation } from "./ring-station.ts";

/** A command to stations; a dead one, or one that stands still, takes none. */
function tell(bench: Target, at: readonly number[], give: (station: RingStation) => void): () => void {
  return () => {
    for (const p of at) {
      if (conditionOf(bench, p) === "running") give(bench.ring.stations[p] as RingStation);
      else bench.ring.report("refused", p, "no-power");
    }
  };
}

function command(name: "request" | "release" | "elect"): BoardVerb {
  return {
    prepare: (bench, [ids = ""]) =>
      tell(bench, positions(bench, ids), (station) => void station.command(name)),
  };
}

/** What a script can do to a ring of boards; the words and arguments are those of a simulated ring. */
export const BOARD_VERBS: BoardVerbs = {
  request: command("request"),
  release: command("release"),
  elect: command("elect"),
  send: {
    prepare: (bench, [from = "", ...message]) => {
      const { to, text } = parseMessage(message);
      return tell(bench, [position(bench, from)], (station) => void station.send(to, text));
    },
  },
  ...BOARD_FAULTS,
};

/** Can such a ring of boards do it? Relays of a bench panel apart. */
export function canDo(verb: string, wiring: string): boolean {
  return Object.hasOwn(BOARD_VERBS, verb) && (wiring === "hub" || !BOARD_VERBS[verb]?.needs);
}

/**
 * Checks an action against a bench.
 * @returns what does it
 * @throws UsageError for an action that this ring cannot do, an argument that does not fit, or a station that is not there
 */
export function boardAction(bench: BenchRing, action: Action): () => void {
  const { verb, args } = action;
  const { ring, plan } = bench;
  const entry = Object.hasOwn(BOARD_VERBS, verb) ? BOARD_VERBS[verb] : undefined;
  if (!entry) {
    throw new UsageError(
      `${quote(verb)} cannot be done to boards: use ${Object.keys(BOARD_VERBS).join(", ")}, or a simulated ring`,
    );
  }
  const { stations } = ring;
  const positionOf = (id: number) => stations.findIndex((station) => station.id === id);
  const target: Target = { ...bench, positionOf };
  const act = entry.prepare(target, args);
  if (plan.wiring === "wired" && entry.needs) {
    const relays =
      entry.needs === "switch" && positions(target, args[0] ?? "").every((p) => ring.canBypass(p));
    if (!relays) throw new UsageError(whyNot(verb, entry.needs));
  }
  return act;
}

function whyNot(verb: string, needs: "hub" | "switch"): string {
  const able = Object.keys(BOARD_VERBS).filter((name) => canDo(name, "wired"));
  const why =
    needs === "switch"
      ? "needs a relay of a bench panel at that station, or a hub"
      : "needs a hub: on a wired ring frames go from board to board past this program";
  return `${verb} ${why}; here use ${able.join(", ")}`;
}
