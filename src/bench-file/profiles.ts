import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { quote, UsageError } from "../errors.ts";
import { explain, type Mistake } from "./explain.ts";
import { suggest } from "./nearest.ts";
import { checkProfile } from "./profile-checks.ts";
import { type BoardProfile, profileSchema } from "./profile-schema.ts";
import { readJsonFile } from "./read-json-file.ts";

/** The folder of the board profiles and of `benches`. */
export const BOARDS_FOLDER = fileURLToPath(new URL("../../boards/", import.meta.url));

/** Board profiles by name. */
export type Profiles = ReadonlyMap<string, BoardProfile>;

let shipped: Profiles | undefined;

/** The profiles in boards/, read once. */
export function shippedProfiles(): Profiles {
  shipped ??= loadProfiles(BOARDS_FOLDER);
  return shipped;
}

/**
 * Reads every profile of a folder, in the order of their names.
 *
 * @throws UsageError with one line when a file is not a good profile
 */
export function loadProfiles(folder: string): Profiles {
  const files = readdirSync(folder).filter(
    (file) => file.endsWith(".json") && !file.endsWith(".schema.json"),
  );
  const names = files.map((file) => file.slice(0, -".json".length)).sort();
  return new Map(names.map((name) => [name, loadProfile(join(folder, `${name}.json`), name)]));
}

/** Reads one board profile, whose file has the name that it gives itself. */
export function loadProfile(path: string, name: string): BoardProfile {
  const file = readJsonFile(path, "board profile");
  const refuse = (mistake: Mistake): never => {
    throw new UsageError(`${file.place(mistake.path)}: ${mistake.message}`);
  };
  const read = profileSchema.safeParse(file.value);
  if (!read.success) return refuse(explain(profileSchema, file.value, read.error.issues));
  const mistake = checkProfile(read.data, name);
  return mistake === undefined ? read.data : refuse(mistake);
}

/**
 * The profile of a name.
 *
 * @throws UsageError that gives the nearest name, or all of them
 */
export function profileNamed(name: string, profiles: Profiles = shippedProfiles()): BoardProfile {
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  throw new UsageError(`unknown board ${quote(name)}: ${suggest(name, [...profiles.keys()], "boards")}`);
}
