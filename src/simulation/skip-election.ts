/** Rings that start where an election has just ended, for runs in which the way there does not matter. */
import { elected } from "../../firmware/ring/active-monitor.js";
import type { Station } from "../../firmware/types.d.ts";
import type { Simulation } from "./simulation.ts";

/** Every running station takes the one at `position` for the coordinator, which begins its duty. */
export function formRing(sim: Simulation, position: number): void {
  const id = sim.plan.ids[position] as number;
  for (let i = 0; i < sim.stations.length; i++) {
    if (i !== position && sim.power[i] === 0) elected(sim, sim.stations[i] as Station, id, 0);
  }
  elected(sim, sim.stations[position] as Station, id, 0);
}
