/**
 * The protocols of this process: those of the firmware's table, and those that were added to it at run time. Everything
 * else asks here what there is and what its traits are, so that no other file has to know a protocol by its name.
 */
import { CORE, ELECTIONS, EXTRAS, installAll, MUTEXES, WIRED } from "../../firmware/protocols.js";
import { install } from "../../firmware/registry.js";
import type { Traits } from "../../firmware/traits.d.ts";
import type { Protocol } from "../../firmware/types.d.ts";
import { checkProtocol } from "./check-protocol.ts";

/** Where a protocol that was added stands: another process can load it from there, and a board's boot code be made. */
export interface ProtocolSource {
  /** Absolute path of the module. */
  file: string;
  /** Name under which the module exports it. */
  exported: string;
}

interface Added {
  protocol: Protocol;
  source: ProtocolSource | undefined;
}

installAll();

const SHIPPED: readonly Protocol[] = [...new Set([...CORE, ...WIRED, ...MUTEXES, ...ELECTIONS, ...EXTRAS])];
const added = new Map<string, Added>();
const NO_TRAITS: Traits = {};

/** @returns every protocol there is, those that were added last */
export function allProtocols(): Protocol[] {
  return [...SHIPPED, ...[...added.values()].map(({ protocol }) => protocol)];
}

/** @returns undefined where there is none of this name */
export function protocolNamed(name: string): Protocol | undefined {
  return SHIPPED.find((protocol) => protocol.name === name) ?? added.get(name)?.protocol;
}

/** @returns what the protocol of this name says of itself; nothing where there is none */
export function traitsOf(name: string): Traits {
  return protocolNamed(name)?.traits ?? NO_TRAITS;
}

/**
 * Has this mutual exclusion a token that goes round the ring for ever? What checks a ring then follows it; others are
 * judged by their entries alone.
 */
export function circulates(mutex: string): boolean {
  return traitsOf(mutex).token?.circulates ?? false;
}

/** @returns types of the frames that stations of this protocol send each other; none where there is no such protocol */
export function frameTypesOf(name: string): string[] {
  return Object.keys(protocolNamed(name)?.frames ?? {});
}

/** @returns names of the elections, in the order of the table */
export function electionNames(): string[] {
  return namesOf(ELECTIONS, (protocol) => protocol.election !== undefined);
}

/** @returns names of the mutual exclusions, in the order of the table */
export function mutexNames(): string[] {
  return namesOf(MUTEXES, (protocol) => protocol.mutex !== undefined);
}

/** @returns names of what a board can carry beside the core */
export function loadableNames(): string[] {
  return [...electionNames(), ...mutexNames()].filter((name) => !CORE.some((core) => core.name === name));
}

/** Was the protocol of this name added to those of the table? */
export function isAdded(name: string): boolean {
  return added.has(name);
}

/** @returns where an added protocol stands; undefined for one of the table, or one that was added without */
export function sourceOf(name: string): ProtocolSource | undefined {
  return added.get(name)?.source;
}

/** @returns where all protocols stand that were added, for another process */
export function addedSources(): ProtocolSource[] {
  return [...added.values()].flatMap(({ source }) => source ?? []);
}

/**
 * Adds a protocol to those of this process; its name is then one like any other. The same one again changes nothing.
 * @throws UsageError where it is not whole, or where its name, a frame type or a timer is another protocol's: both are
 * named
 */
export function addProtocol(protocol: Protocol, source?: ProtocolSource): void {
  if (added.get(protocol.name)?.protocol === protocol) return;
  checkProtocol(protocol, allProtocols());
  install(protocol);
  added.set(protocol.name, { protocol, source });
}

function namesOf(table: readonly Protocol[], fits: (protocol: Protocol) => boolean): string[] {
  const more = [...added.values()].map(({ protocol }) => protocol).filter(fits);
  return [...table, ...more].map(({ name }) => name);
}
