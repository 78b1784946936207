/** What a board does when it starts: saved code in its order, then the banner. */
import { fromBytes } from "../bytes.ts";
import type { Callback } from "./events.ts";
import type { Machine } from "./machine.ts";

/** Runs a file of Storage when it is there; `top` names it in stack traces. */
export function runFile(machine: Machine, name: string, top: string): void {
  const code = machine.powered ? machine.options.storage.read(name) : undefined;
  if (code === undefined) return;
  machine.guard(() => machine.realm.evaluate(fromBytes(code), name), top);
}

/**
 * `.boot0` to `.boot3`, the saved code, the `init` listeners, `onInit`: each goes on after an error of another.
 *
 * @param isReset after `reset()` only code saved for that runs (`.bootrst`)
 */
export function runBootCode(machine: Machine, isReset: boolean): void {
  const { events, repl, cpu, realm } = machine;
  for (const name of [".boot0", ".boot1", ".boot2", ".boot3"]) runFile(machine, name, name);
  const saved = isReset || machine.options.storage.read(".bootrst") ? ".bootrst" : ".bootcde";
  runFile(machine, saved, "boot code");
  if (!machine.powered) return;
  const { E } = machine.program;
  machine.callAll(events.listeners(E, "init"), E, [], { kind: "boot" });
  const { onInit } = realm.global;
  if (typeof onInit !== "function" || !machine.powered) return;
  cpu.effect(() => {
    if (repl.echo) repl.print("Running onInit()...\n");
  });
  machine.call(onInit as Callback, undefined, [], { kind: "boot" });
}

/** The greeting of an official board, with the sequence that keeps a terminal from wrapping in front. */
export function banner(version: string): string {
  const art = [
    "",
    " ____                 _ ",
    "|  __|___ ___ ___ _ _|_|___ ___ ",
    "|  __|_ -| . |  _| | | |   | . |",
    "|____|___|  _|_| |___|_|_|_|___|",
    "         |_| espruino.com",
    ` ${version} (c) 2026 G.Williams`,
    "",
    "",
  ];
  return `\x1b[?7l${art.join("\n")}`;
}
