/**
 * Which fields of the firmware may get other, shorter names on a board: a name of more than four characters takes a
 * variable more on an Espruino, in each object that has it.
 */
import { frameTypes, mutexes, states, timers } from "../../../firmware/registry.js";
import { createStation } from "../../../firmware/station.js";
import { DEFAULT_PLAN, settingsOf } from "../../simulation/plan.ts";

/** Fields of the tables of protocols, of frames, of `io` and of the reader (types.d.ts, reader.js). */
const TABLES =
  "args flags wire frames timers create handle returned message record disarm skipping refused".split(" ");

/** Names that the host writes: the calls of `station`, and what a configuration holds beside its settings. */
const SPOKEN =
  "attach detach info configure frame request release elect hello send fault id wiring uart baud options line leds ledOn button buttonDown settings".split(
    " ",
  );

/**
 * The fields that only the firmware itself uses: those of a station's state, found by making one, and of the tables.
 * Names that come from the host, and names by which a table is looked up at run time (protocols, timers, frame types),
 * stay.
 */
export function inwardFields(): string[] {
  const settings = settingsOf(DEFAULT_PLAN);
  const found = new Set(TABLES);
  for (const mutex of Object.keys(mutexes)) collect(createStation(1, { ...settings, mutex }), found);
  const outward = new Set([...SPOKEN, ...[states, timers, frameTypes].flatMap(Object.keys)]);
  collect(settings, outward);
  return [...found].filter((name) => !outward.has(name)).sort();
}

function collect(value: object, names: Set<string>): void {
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name);
    if (name !== "settings" && typeof inner === "object" && inner !== null) collect(inner, names);
  }
}
