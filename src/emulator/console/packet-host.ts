/** What packets do on a machine: evaluate, raise events, read and write files. */
import { toBytes } from "../bytes.ts";
import { StorageError } from "../hardware/storage.ts";
import { describeError, PowerLost, stackTrace } from "../interpreter/errors.ts";
import { compactStyle } from "../interpreter/format.ts";
import type { Machine } from "../interpreter/machine.ts";
import type { PacketHost } from "./packets.ts";

/** Only an expression counts: what follows it after a semicolon is not looked at, a statement does not parse. */
function compileExpression(machine: Machine, source: string): () => unknown {
  const ends = [source.length, ...[...source.matchAll(/;/g)].map((match) => match.index)];
  let problem: unknown;
  for (const end of ends) {
    try {
      return machine.realm.compile(`return (${source.slice(0, end)}\n)`, "REPL", []) as () => unknown;
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

function evaluate(machine: Machine, source: string, failed: () => void): string | undefined {
  const { realm, repl, options } = machine;
  machine.running = { kind: "line" };
  try {
    const value = realm.call(compileExpression(machine, source), options.executionLimitMs);
    return machine.format(value, compactStyle);
  } catch (error) {
    if (error instanceof PowerLost) return undefined;
    const place = (error as Error).name === "SyntaxError" ? stackTrace(error) : "";
    machine.cpu.effect(() => repl.line.remove());
    failed();
    machine.cpu.effect(() => repl.print(`Uncaught ${describeError(error)}\n${place}`));
    return undefined;
  }
}

export function packetHost(machine: Machine): PacketHost {
  const { clock, storage } = machine.options;
  return {
    clock,
    // In order with what the evaluated code prints.
    raw: (text) => machine.cpu.effect(() => machine.console.raw(text)),
    evaluate: (source, failed) => evaluate(machine, source, failed),
    aside: () => machine.cpu.effect(() => machine.repl.line.remove()),
    event: (value) => {
      const { E, toRealm } = machine.program;
      const listeners = machine.events.listeners(E, "packet");
      machine.callAll(listeners, E, [toRealm(value)], { kind: "event" });
      return listeners.length > 0;
    },
    readFile: (name) => storage.read(name),
    writeFile: (name, data, offset, size) => {
      try {
        storage.write(name, toBytes(data), offset, size);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        machine.repl.line.remove();
        machine.delayedError = `Uncaught Error: ${error.message}\n`;
      }
    },
  };
}
