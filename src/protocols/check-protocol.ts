/** What a protocol must be before it is added: it comes from a file that a person wrote. */
import type { FrameType, Protocol } from "../../firmware/types.d.ts";
import { quote, UsageError } from "../errors.ts";

/** Timers that belong to the station itself. */
const STATION_TIMERS: readonly string[] = ["critical"];

/** @throws UsageError that says what is wrong, and names the other protocol where two want the same */
export function checkProtocol(protocol: Protocol, others: readonly Protocol[]): void {
  const { name } = protocol;
  const wrong = (what: string) => new UsageError(`protocol ${quote(name)}: ${what}`);
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]*$/.test(name)) {
    throw wrong("its name must be of small letters, digits and hyphens");
  }
  if (others.some((other) => other.name === name)) throw wrong("there is one of this name already");
  if (!protocol.mutex === !protocol.election) {
    throw wrong("it must be a mutual exclusion (mutex) or an election (election), one of them");
  }
  if (typeof protocol.frames !== "object" || typeof protocol.timers !== "object") {
    throw wrong("it needs frames and timers, each an object, empty where it has none");
  }
  for (const [type, entry] of Object.entries(protocol.frames)) {
    if (!/^[A-Z]{3}$/.test(type)) throw wrong(`frame type ${quote(type)} must be three capital letters`);
    const owner = others.find(({ frames }) => Object.hasOwn(frames, type));
    if (owner) throw wrong(`frame type ${type} is one of ${owner.name}: choose another`);
    const fault = faultOfFrame(entry);
    if (fault) throw wrong(`frame type ${type}: ${fault}`);
  }
  for (const timer of Object.keys(protocol.timers)) {
    const owner = others.find(({ timers }) => Object.hasOwn(timers, timer));
    const taken = owner?.name ?? (STATION_TIMERS.includes(timer) ? "the station" : undefined);
    if (taken) throw wrong(`timer ${quote(timer)} is one of ${taken}: choose another`);
  }
}

/** @returns what is wrong with a frame type, in words; undefined: nothing */
export function faultOfFrame({ args, fields, handle }: FrameType): string | undefined {
  if (typeof handle !== "function") return "it has no function handle";
  if (!Number.isInteger(args)) return "args must be a whole number";
  if (!Array.isArray(fields)) return "fields must name its arguments";
  const open = fields.at(-1)?.endsWith("...") ?? false;
  if (args >= 0 && (open || fields.length !== args)) {
    return `it has ${args} arguments, and fields names ${fields.length}`;
  }
  if (args < 0 && (!open || fields.length - 1 > -args)) {
    return `it has ${-args} arguments or more, and fields must end in a name like "ids..."`;
  }
  return undefined;
}
