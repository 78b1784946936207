/**
 * Crash, restart, hang, pause, cut, bypass and insertion. On a hub the host bypasses a station at once when its
 * link closes, and after the silence limit when it says nothing; on a wired ring nothing is bypassed by itself.
 */
import { DEAD, RUNNING, type Simulation, STOPPED } from "./simulation.ts";

/** A silent station is bypassed after so many announcement periods. */
const SILENCE_ANNOUNCEMENTS = 2;

/** @returns microseconds after which the hub bypasses a silent station */
export function silenceMicros(sim: Simulation): number {
  return Math.ceil(SILENCE_ANNOUNCEMENTS * sim.settings.limits.announce * 1000);
}

/** Power fails: the state is gone. */
export function crash(sim: Simulation, position: number): void {
  if (sim.power[position] === DEAD) return;
  sim.power[position] = DEAD;
  sim.timers.clear(position);
  sim.note("crash", sim.plan.ids[position], "power");
  sim.medium.loseUnsent(position);
  if (sim.plan.wiring === "hub") bypass(sim, position, "closed");
}

/** Power returns. */
export function restart(sim: Simulation, position: number): void {
  if (sim.power[position] !== DEAD) crash(sim, position);
  sim.note("restart", sim.plan.ids[position]);
  sim.power[position] = RUNNING;
  insert(sim, position, "open");
  sim.boot(position);
}

/** The processor stops with its power on; `micros` undefined: for ever. */
export function stop(sim: Simulation, position: number, micros?: number): void {
  if (sim.power[position] !== RUNNING) return;
  sim.power[position] = STOPPED;
  sim.timers.suspend(position);
  watchSilence(sim, position);
  if (micros !== undefined) sim.at(sim.clock.now + micros, () => goOn(sim, position));
}

/** A stopped station goes on with the state it had. */
export function goOn(sim: Simulation, position: number): void {
  if (sim.power[position] !== STOPPED) return;
  sim.power[position] = RUNNING;
  sim.timers.resume(position);
  insert(sim, position, "back");
}

/** The link from a station to its successor breaks; on a hub that is its line to the host. */
export function cutLink(sim: Simulation, position: number): void {
  sim.cut[position] = 1;
  watchSilence(sim, position);
}

export function mendLink(sim: Simulation, position: number): void {
  sim.cut[position] = 0;
  if (sim.power[position] === RUNNING) insert(sim, position, "back");
}

export function bypass(sim: Simulation, position: number, cause: string): void {
  if (sim.mau.bypass(position)) sim.note("bypass", sim.plan.ids[position], cause);
}

export function insert(sim: Simulation, position: number, cause: string): void {
  if (!sim.mau.insert(position)) return;
  sim.medium.flush(position);
  sim.note("insert", sim.plan.ids[position], cause);
}

/** On a hub the host bypasses a station that stays silent. */
function watchSilence(sim: Simulation, position: number): void {
  if (sim.plan.wiring !== "hub") return;
  sim.at(sim.clock.now + silenceMicros(sim), () => {
    if (sim.power[position] === STOPPED || sim.cut[position] === 1) bypass(sim, position, "silent");
  });
}
