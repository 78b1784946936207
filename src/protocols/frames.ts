/** What the protocols say of their frames: names of the arguments, names of the messages, which are those of elections. */
import { frameTypes } from "../../firmware/registry.js";
import { allProtocols, electionNames, frameTypesOf, protocolNamed } from "./registry.ts";

const NONE: readonly string[] = [];

/**
 * @returns names of the arguments of a type of frame, for people; a last one that ends in "..." stands for all others.
 * None for a type that no protocol has.
 */
export function fieldsOf(type: string): readonly string[] {
  return Object.hasOwn(frameTypes, type) ? (frameTypes[type]?.fields ?? NONE) : NONE;
}

/** @returns the names of the arguments of every type of frame */
export function allFields(): [type: string, fields: readonly string[]][] {
  return allProtocols().flatMap(({ frames }) =>
    Object.entries(frames).map(([type, { fields }]): [string, readonly string[]] => [type, fields]),
  );
}

/** @returns the textbook's names of a protocol's messages; none where there is no such protocol */
export function messagesOf(name: string): string[] {
  return Object.values(protocolNamed(name)?.frames ?? {}).flatMap(({ message }) => message ?? []);
}

/** @returns types of the frames that carry a token */
export function tokenFrames(): string[] {
  return allProtocols().flatMap(({ traits }) => traits?.token?.type ?? []);
}

/** @returns types of the frames of all elections, in the order of the table */
export function electionFrames(): string[] {
  return electionNames().flatMap(frameTypesOf);
}
