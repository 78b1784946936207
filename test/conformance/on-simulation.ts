/** The firmware's core on a virtual clock. */
import { Observer } from "../../src/check/observer.ts";
import { RecordColumns } from "../../src/log/columns.ts";
import type { RunRecord } from "../../src/log/records.ts";
import { crash, restart, stop } from "../../src/simulation/power.ts";
import { parseAction, VERBS } from "../../src/simulation/script/script.ts";
import { COMMAND_VERBS, type Verb } from "../../src/simulation/script/verbs.ts";
import { Simulation } from "../../src/simulation/simulation.ts";
import { type Platform, planOf, type Setup } from "./platform.ts";

export async function onSimulation(setup: Setup): Promise<Platform> {
  const columns = new RecordColumns();
  const sim = new Simulation(planOf(setup), columns);
  const records: RunRecord[] = [];
  const read = () => {
    while (records.length < columns.length) records.push(columns.get(records.length));
  };
  const { step } = sim.settings;
  const observer = new Observer({ ...sim.plan, step }, columns, { recoveryMicros: 20e6 });
  sim.bootAll();
  return {
    records,
    request: (id) => (COMMAND_VERBS.request as Verb).prepare(sim, [String(id)])(),
    fault(action) {
      const { verb, args } = parseAction(`0s ${action}`);
      (VERBS[verb] as Verb).prepare(sim, args)();
    },
    off: async (id) => crash(sim, sim.positionOf(id)),
    // Deaf and mute until it restarts: the hub sees no more of it.
    dark: (id) => stop(sim, sim.positionOf(id)),
    light: (id) => restart(sim, sim.positionOf(id)),
    violation: () => observer.read()?.text ?? null,
    on: async (id) => restart(sim, sim.positionOf(id)),
    async until(what, holds, limitMs = 20_000) {
      const end = sim.clock.now + limitMs * 1000;
      for (read(); !holds(); read()) {
        if (!sim.step() || sim.clock.now > end)
          throw new Error(`simulation: not within ${limitMs} ms: ${what}`);
      }
    },
    async stop() {},
  };
}
