/** The table of algorithms: a descriptor for each protocol of the firmware's table, and for those added at run time. */

import { quote, UsageError } from "../errors.ts";
import { electionNames, mutexNames, protocolNamed } from "../protocols/registry.ts";
import { berkeley } from "./algorithms/berkeley.ts";
import { bully } from "./algorithms/bully.ts";
import { centralised } from "./algorithms/centralised.ts";
import { changRoberts } from "./algorithms/chang-roberts.ts";
import { cristian } from "./algorithms/cristian.ts";
import { decentralised } from "./algorithms/decentralised.ts";
import { edgeChasing } from "./algorithms/edge-chasing.ts";
import { lamport } from "./algorithms/lamport.ts";
import { maekawa } from "./algorithms/maekawa.ts";
import { raymond } from "./algorithms/raymond.ts";
import { ricartAgrawala } from "./algorithms/ricart-agrawala.ts";
import { ricartAgrawalaImplicit } from "./algorithms/ricart-agrawala-implicit.ts";
import { ringElection } from "./algorithms/ring-election.ts";
import { stamps } from "./algorithms/stamps.ts";
import { suzukiKasami } from "./algorithms/suzuki-kasami.ts";
import { tokenRing } from "./algorithms/token-ring.ts";
import type { Bounds } from "./bounds.ts";
import type { Descriptor, ElectionDescriptor, MutexDescriptor } from "./descriptor.ts";

/** In the order of the tables. */
export const ALGORITHMS: readonly Descriptor[] = [
  tokenRing,
  centralised,
  decentralised,
  lamport,
  ricartAgrawala,
  ricartAgrawalaImplicit,
  maekawa,
  suzukiKasami,
  raymond,
  bully,
  ringElection,
  changRoberts,
  cristian,
  berkeley,
  stamps,
  edgeChasing,
];

const added = new Map<string, Descriptor>();

/**
 * Describes a protocol that was added at run time.
 * @throws UsageError where there is no such protocol, or it has a descriptor already
 */
export function describeProtocol(descriptor: Descriptor): void {
  const { name, kind } = descriptor;
  const protocol = protocolNamed(name);
  if (!protocol) throw new UsageError(`${quote(name)} is described, but there is no such protocol`);
  const fits = kind === "election" ? protocol.election : protocol.mutex;
  if (!fits) throw new UsageError(`${quote(name)} is described as ${kind}, which it is not`);
  if (added.get(name) === descriptor) return;
  if (find(name)) throw new UsageError(`${quote(name)} is described already`);
  added.set(name, descriptor);
}

/** @returns the mutual exclusion algorithms, in the order of the tables; one that nobody has described says only its name */
export function mutexAlgorithms(): MutexDescriptor[] {
  return mutexNames().map(mutexNamed);
}

/** @returns the elections, in the order of the tables; one that nobody has described says only its name */
export function electionAlgorithms(): ElectionDescriptor[] {
  return electionNames().map(electionNamed);
}

/** @returns what tables compare: algorithms that do the same thing at a different cost */
export function comparedAlgorithms(): (MutexDescriptor | ElectionDescriptor)[] {
  return [...mutexAlgorithms(), ...electionAlgorithms()];
}

/** @returns the descriptor of a mutual exclusion of this process */
export function mutexNamed(name: string): MutexDescriptor {
  const found = find(name);
  if (found?.kind === "mutual exclusion") return found;
  return { ...undescribed(name), kind: "mutual exclusion", theory: () => NO_THEORY };
}

/** @returns the descriptor of an election of this process */
export function electionNamed(name: string): ElectionDescriptor {
  const found = find(name);
  if (found?.kind === "election") return found;
  const rings = [{ stations: 5, down: [] }];
  return { ...undescribed(name), kind: "election", theory: () => NO_THEORY, rings };
}

const NO_THEORY: Bounds = { least: 0, most: Infinity, formula: "no formula is given" };

function undescribed(name: string) {
  const nothing = "not described";
  return {
    name,
    title: name,
    source: nothing,
    messages: nothing,
    order: nothing,
    breaks: nothing,
    scenario: "",
  };
}

function find(name: string): Descriptor | undefined {
  return ALGORITHMS.find((descriptor) => descriptor.name === name) ?? added.get(name);
}
