import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "../errors.ts";
import { type BenchStation, checkStations } from "./bench-checks.ts";
import { type BenchFile, benchSchema } from "./bench-schema.ts";
import { explain, type Mistake } from "./explain.ts";
import { resolvePort } from "./port.ts";
import { BOARDS_FOLDER, type Profiles, shippedProfiles } from "./profiles.ts";
import { readJsonFile } from "./read-json-file.ts";

/** A checked bench: ids, ports and boards differ and exist, and the successors form one ring. */
export interface Bench extends Omit<BenchFile, "$schema" | "stations"> {
  stations: BenchStation[];
}

/** The folder of the ready benches. */
export const BENCHES_FOLDER = join(BOARDS_FOLDER, "benches");

/** Paths of the ready benches by name (`emulated-5`). */
export function readyBenches(): Map<string, string> {
  const files = readdirSync(BENCHES_FOLDER).filter((file) => file.endsWith(".json"));
  return new Map(files.sort().map((file) => [basename(file, ".json"), join(BENCHES_FOLDER, file)]));
}

/** What the command line can say otherwise than a file. */
export type BenchChanges = Partial<Pick<BenchFile, "wiring" | "election" | "baud">>;

/**
 * Reads and checks a bench file.
 *
 * @param path the file; where there is none of that name, the name of a ready bench
 * @param changes what takes the place of the file's own
 * @throws UsageError with one line: `FILE:LINE: what is wrong and what to try`
 */
export function loadBench(
  path: string,
  changes: BenchChanges = {},
  profiles: Profiles = shippedProfiles(),
): Bench {
  const ready = readyBenches();
  const found = existsSync(path) ? path : (ready.get(path) ?? path);
  const hint = `give its path, or the name of a ready bench: ${[...ready.keys()].join(", ")}`;
  const file = readJsonFile(found, "bench file", hint);
  return makeBench(changed(file.value, changes), dirname(found), file.place, profiles);
}

function changed(value: unknown, changes: BenchChanges): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { wiring = "hub" } = value as { wiring?: unknown };
  // The speed of consoles says nothing of UARTs, nor the other way round.
  const rewired = changes.wiring !== undefined && changes.wiring !== wiring;
  return { ...value, ...(rewired && { baud: undefined }), ...changes };
}

/**
 * Checks a bench that is no file, such as one made of command line options.
 *
 * @param value what a bench file would contain
 * @param folder where relative ports start
 * @param place says where the value at a path comes from, put before messages
 * @throws UsageError with one line
 */
export function makeBench(
  value: unknown,
  folder: string,
  place: (path: string) => string,
  profiles: Profiles = shippedProfiles(),
): Bench {
  const refuse = (mistake: Mistake): never => {
    throw new UsageError(`${place(mistake.path)}: ${mistake.message}`);
  };
  const read = benchSchema.safeParse(value);
  if (!read.success) return refuse(explain(benchSchema, value, read.error.issues));
  const { $schema: _, stations: __, ...rest } = read.data;
  const stations = checkStations(read.data, profiles, folder, refuse);
  // Checked with the stations.
  if (rest.panel?.port !== undefined) rest.panel.port = resolvePort(rest.panel.port, folder);
  return { ...rest, stations };
}
