/** Rings of boards on the command line: a bench file, or ports. */
import { type Bench, loadBench, makeBench } from "../bench-file/load-bench.ts";
import { UsageError } from "../errors.ts";
import { planOfBench } from "../host/bench/bench-ring.ts";
import type { Plan } from "../simulation/plan.ts";
import type { RingOptions } from "./options.ts";

export interface PortOptions {
  ports?: string;
}

/**
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
  const bench = path === undefined ? benchOfPorts(options) : loadBench(path);
  return {
    bench,
    plan: planOfBench(bench, options.seed ?? 1),
    idsGiven: path !== undefined || options.ids !== undefined,
  };
}

function benchOfPorts(options: PortOptions & RingOptions): Bench {
  const ports = (options.ports as string).split(",").map((port) => port.trim());
  if (options.ids && options.ids.length !== ports.length) {
    throw new UsageError(`--ids names ${options.ids.length} stations and --ports ${ports.length} ports`);
  }
  const stations = ports.map((port, i) => ({ id: options.ids?.[i] ?? i + 1, port, board: "emulated" }));
  const value = {
    title: "ports of the command line",
    wiring: options.wiring ?? "hub",
    election: options.election ?? "bully",
    ...(options.baud === undefined ? {} : { baud: options.baud }),
    stations,
  };
  return makeBench(value, process.cwd(), () => "--ports");
}
