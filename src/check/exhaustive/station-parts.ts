/** Which parts of a station's state belong to which election, and what the election in use says of its own. */
import type { ElectionSearch } from "../../../firmware/traits.d.ts";
import type { Station } from "../../../firmware/types.d.ts";
import { electionNames, protocolNamed, traitsOf } from "../../protocols/registry.ts";

/** By part of the state: the election that makes it. */
const owners = new Map<string, string>();
for (const name of electionNames()) {
  const made = {} as Station;
  protocolNamed(name)?.create?.(made);
  for (const part of Object.keys(made)) owners.set(part, name);
}

/** @returns the election that a part of a station's state belongs to; undefined: none */
export function ownerOf(part: string): string | undefined {
  return owners.get(part);
}

const searches = new Map<object, ElectionSearch | undefined>();

/** @returns what the station's election says of itself to the search */
export function searchOf({ settings }: Station): ElectionSearch | undefined {
  let search = searches.get(settings);
  if (!search && !searches.has(settings)) {
    search = traitsOf(settings.election).search;
    searches.set(settings, search);
  }
  return search;
}
