/** Adds protocols that stand in files of their own. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Protocol } from "../../firmware/types.d.ts";
import { quote, UsageError } from "../errors.ts";
import { addProtocol, type ProtocolSource } from "./registry.ts";

/**
 * Loads a module, JavaScript or TypeScript, and adds the protocol that it exports.
 * @param path relative to the working directory
 * @returns the protocol; one that was loaded before is not added again
 * @throws UsageError where there is no such file, or it exports no protocol, or several, or one that is refused
 */
export async function loadProtocol(path: string): Promise<Protocol> {
  const file = resolve(path);
  const found = Object.entries(await moduleAt(path, file)).filter(([, value]) => isProtocol(value));
  const [first, ...more] = found as [string, Protocol][];
  if (!first)
    throw new UsageError(`${quote(path)} exports no protocol: export an object with name and frames`);
  const others = more.filter(([, protocol]) => protocol !== first[1]).map(([name]) => name);
  if (others.length) {
    throw new UsageError(
      `${quote(path)} exports several protocols: ${first[0]}, ${others.join(", ")}; keep one`,
    );
  }
  addProtocol(first[1], { file, exported: first[0] });
  return first[1];
}

/** Adds what another process has added. */
export async function loadSources(sources: readonly ProtocolSource[]): Promise<void> {
  for (const { file } of sources) await loadProtocol(file);
}

/** @throws UsageError with the reason */
async function moduleAt(path: string, file: string): Promise<object> {
  try {
    return (await import(pathToFileURL(file).href)) as object;
  } catch (error) {
    throw new UsageError(`${quote(path)} cannot be loaded: ${(error as Error).message.split("\n")[0]}`);
  }
}

function isProtocol(value: unknown): value is Protocol {
  return typeof value === "object" && value !== null && "name" in value && "frames" in value;
}
