/** Adds an algorithm that stands in files of its own: what stations run, and what is known of it. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { quote, UsageError } from "../errors.ts";
import { loadProtocol } from "../protocols/load.ts";
import { describeProtocol } from "./algorithms.ts";
import type { Descriptor } from "./descriptor.ts";

/**
 * @param protocolFile a module that exports one protocol
 * @param descriptorFile a module that exports its descriptor; where left out, there is no theory to compare with
 * @returns the algorithm's name, which is then one like any other in this process
 * @throws UsageError where a file is not there, or what it exports is refused
 */
export async function loadAlgorithm(protocolFile: string, descriptorFile?: string): Promise<string> {
  const { name } = await loadProtocol(protocolFile);
  if (descriptorFile === undefined) return name;
  const module = (await import(pathToFileURL(resolve(descriptorFile)).href)) as object;
  const [descriptor, ...more] = Object.values(module).filter(isDescriptor);
  if (!descriptor || more.length) {
    throw new UsageError(
      `${quote(descriptorFile)} must export one descriptor: an object with name and theory`,
    );
  }
  describeProtocol(descriptor);
  return name;
}

function isDescriptor(value: unknown): value is Descriptor {
  return typeof value === "object" && value !== null && "kind" in value && "theory" in value;
}
