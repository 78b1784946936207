/** Rings of boards on the command line: a bench file, or ports, with the options of a ring. */

import { type Bench, type BenchChanges, loadBench, makeBench } from "../bench-file/load-bench.ts";
import { UsageError } from "../errors.ts";
import { planOfBench } from "../host/bench/bench-ring.ts";
import { ringAddress } from "../link/mqtt/address.ts";
import { stationsOn } from "../link/mqtt/ring-host.ts";
import { electionNames } from "../protocols/registry.ts";
import { limitsOf, type Plan } from "../simulation/plan.ts";
import { wiringOf, withTimes } from "../simulation/plan-of.ts";
import { oneOf, type RingOptions } from "./options.ts";

export interface PortOptions {
  ports?: string;
  broker?: string;
}

/**
 * With `--broker` the ports are those of the stations that are on it now, in the order of their ids, and the ids theirs.
 * @throws UsageError when nobody is there, or the broker does not answer
 */
export async function withBroker<T extends PortOptions & RingOptions>(options: T): Promise<T> {
  const { broker, ...rest } = options;
  if (broker === undefined) return options;
  if (options.ports !== undefined) throw new UsageError("give --ports or --broker, not both");
  const ring = ringAddress(broker);
  const { path } = ring;
  const there = [...(await stationsOn(ring)).keys()];
  const missing = options.ids?.filter((id) => !there.includes(id)) ?? [];
  if (missing.length)
    throw new UsageError(
      `${path}: nobody shares station ${missing.join(", ")}; there are ${there.join(", ") || "none"}`,
    );
  const ids = options.ids ?? there;
  if (ids.length === 0)
    throw new UsageError(
      `${path}: nobody is there yet: start "ringlab share" beside each board, then this again`,
    );
  return { ...rest, ids, ports: ids.map((id) => `${path}/${id}`).join(",") } as unknown as T;
}

/**
 * Every option of a ring is obeyed by boards too, or refused.
 * @param path of a bench file, or the name of a ready bench
 * @returns null when the command line speaks of a simulated ring
 * @throws UsageError
 */
export function benchOf(
  path: string | undefined,
  options: PortOptions & RingOptions,
): { bench: Bench; plan: Plan; idsGiven: boolean } | null {
  if (path === undefined && options.ports === undefined) return null;
  if (path !== undefined && options.ports !== undefined)
    throw new UsageError("give a bench file or --ports, not both");
  if (options.mutex !== undefined)
    throw new UsageError("--mutex is for simulated rings: boards run the token ring, so leave it out here");
  const bench = path === undefined ? benchOfPorts(options) : benchOfFile(path, options);
  const { length } = bench.stations;
  if (options.stations !== undefined && options.stations !== length) {
    throw new UsageError(`--stations says ${options.stations}, and there are ${length} boards: leave it out`);
  }
  const plan = withTimes(planOfBench(bench, options.seed ?? 1), options);
  // Refused before any port is opened.
  limitsOf(plan);
  return {
    bench,
    plan,
    idsGiven: path !== undefined || options.ids !== undefined,
  };
}

function benchOfFile(path: string, options: RingOptions): Bench {
  if (options.ids) throw new UsageError("--ids: a bench file says the ids; leave it out, or change the file");
  return loadBench(path, changesOf(options));
}

function benchOfPorts(options: PortOptions & RingOptions): Bench {
  const ports = (options.ports as string).split(",").map((port) => port.trim());
  if (options.ids && options.ids.length !== ports.length) {
    throw new UsageError(`--ids names ${options.ids.length} stations and --ports ${ports.length} ports`);
  }
  const stations = ports.map((port, i) => ({ id: options.ids?.[i] ?? i + 1, port, board: "emulated" }));
  const value = { title: "ports of the command line", ...changesOf(options), stations };
  return makeBench(value, process.cwd(), () => "--ports");
}

function changesOf({ wiring, election, baud }: RingOptions): BenchChanges {
  return {
    ...(wiring !== undefined && { wiring: wiringOf(wiring) }),
    ...(election !== undefined && { election: oneOf("--election", election, electionNames()) }),
    ...(baud !== undefined && { baud }),
  };
}
