/** When a timer may run out, in a ring without time: not while what its limit allows for is still under way. */

import { EVERY, NEIGHBOUR } from "../../../firmware/frame.js";
import type { Frame, Station } from "../../../firmware/types.d.ts";
import { electionFrames } from "../../protocols/frames.ts";
import type { Node } from "./node.ts";
import { searchOf } from "./station-parts.ts";

const electionTypes = new Set(electionFrames());

function underWay(node: Node, test: (frame: Frame) => boolean): boolean {
  return node.links.some((frames) => frames.some(test));
}

/** Does it go round with nobody left to copy it or to strip it? No limit waits for that. */
function isOrphan(node: Node, { src, dst }: Frame): boolean {
  if (dst === NEIGHBOUR || dst === EVERY) return false;
  return !node.stations.some((s) => s && (s.id === src || s.id === dst));
}

/** Does everybody that is there take this station for the coordinator? */
function agreed(node: Node, s: Station): boolean {
  return node.stations.every((other) => !other || (other.joined && other.coordinator === s.id));
}

/** Is an election of the station's own under way? */
function elects(s: Station): boolean {
  return searchOf(s)?.electing(s) ?? false;
}

const RULES: { readonly [timer: string]: (node: Node, s: Station) => boolean } = {
  // An announcement is made when the last one is back; where all agree it changes nothing, and is left out.
  announce: (node, s) => !agreed(node, s) && !underWay(node, (f) => f.type === "AMP" && f.src === s.id),
  // A probe is asked again when it cannot come back any more. Before that, the token may be late at any time.
  watch: (node, s) => !underWay(node, (f) => f.type === "PRB" && f.args[0] === s.id),
  // A purge is back, or another monitor's has stopped it, long before its limit. One that found somebody inside finds the
  // same until that station has left.
  purge: (node) => !underWay(node, (f) => f.type === "PRG") && !node.stations.some((other) => other?.inside),
  // The coordinator is missed when there is none, and nothing it sent is under way.
  standby: (node, s) =>
    !elects(s) &&
    !node.stations.some((other) => other?.monitor.duty) &&
    !underWay(node, (f) => f.type === "AMP"),
};

/** @returns true when an armed timer may run out now */
export function mayFire(node: Node, s: Station, timer: string): boolean {
  const rule = RULES[timer];
  if (rule) return rule(node, s);
  const mayEnd = searchOf(s)?.mayEnd[timer];
  if (!mayEnd) return true;
  return mayEnd(s, {
    some: (test) =>
      underWay(node, (frame) => electionTypes.has(frame.type) && test(frame) && !isOrphan(node, frame)),
    othersElect: (self) => node.stations.some((other) => other !== null && other !== self && elects(other)),
  });
}
