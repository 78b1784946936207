/** `require` and `Modules`: built-in modules, cached ones, and files in Storage of that name. */
import { fromBytes } from "../bytes.ts";
import type { Machine } from "./machine.ts";

export function createModules(
  machine: Machine,
  builtIn: Readonly<Record<string, object>>,
): { require: (name: unknown) => unknown; Modules: object } {
  const { realm } = machine;
  const { storage } = machine.options;
  const cache = new Map<string, unknown>(Object.entries(builtIn));

  const evaluate = (source: string, name: string): unknown => {
    const exports = realm.object();
    const module = realm.object({ exports });
    realm.compile(source, name, ["exports", "module"])(exports as never, module as never);
    return module.exports;
  };
  const require = (name: unknown): unknown => {
    if (typeof name !== "string") {
      throw realm.error("TypeError", `Expecting module name as a string, got ${typeof name}`);
    }
    if (cache.has(name)) return cache.get(name);
    const file = storage.read(name);
    if (file === undefined) throw realm.error("Error", `Module "${name}" not found`);
    const loaded = evaluate(fromBytes(file), name);
    cache.set(name, loaded);
    return loaded;
  };
  const Modules = realm.object();
  realm.define(Modules, {
    addCached: (name: unknown, code: unknown) => {
      if (typeof name !== "string" || (typeof code !== "string" && typeof code !== "function")) {
        throw realm.error("Error", "args must be addCached(string, string|function)");
      }
      if (typeof code === "string") cache.set(name, evaluate(code, name));
      else {
        const exports = realm.object();
        const module = realm.object({ exports });
        Reflect.apply(code, exports, [exports, module]);
        cache.set(name, module.exports);
      }
    },
    getCached: () => realm.array([...cache.keys()].filter((name) => builtIn[name] === undefined)),
    removeCached: (name: unknown) => {
      if (!cache.delete(String(name))) throw realm.error("Error", `Module "${String(name)}" not found`);
    },
    removeAllCached: () => {
      for (const name of cache.keys()) if (builtIn[name] === undefined) cache.delete(name);
    },
  });
  return { require, Modules };
}
