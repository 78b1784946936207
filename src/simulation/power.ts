/**
 * Crash, restart, hang, pause, cut, deafness, bypass and insertion. On a hub the host bypasses a station at once when its
 * link closes, and after the silence limit when nothing comes from it; on a wired ring nothing is bypassed by itself.
 */
import { DEAD, LINK_CUT, NOT_CARRIED, RUNNING, type Simulation, STOPPED } from "./simulation.ts";

/** A silent station is bypassed after so many announcement periods. */
export const SILENCE_ANNOUNCEMENTS = 2;

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
  // What is on the wire already is still carried.
  if (sim.plan.wiring === "hub") bypass(sim, position, "closed");
}

/** Power returns. */
export function restart(sim: Simulation, position: number): void {
  if (sim.power[position] !== DEAD) crash(sim, position);
  sim.note("restart", sim.plan.ids[position]);
  sim.power[position] = RUNNING;
  reconnect(sim, position, "open");
  sim.boot(position);
}

/** The processor stops with its power on; `micros` undefined: until it is told to go on. */
export function stop(sim: Simulation, position: number, micros?: number): void {
  if (sim.power[position] !== RUNNING) return;
  sim.power[position] = STOPPED;
  sim.timers.suspend(position);
  watchSilence(sim, position);
  const number = ++sim.stops;
  sim.stoppedBy[position] = number;
  if (micros !== undefined) {
    sim.at(sim.clock.now + micros, () => {
      // It may have gone on meanwhile, and stand still for another reason.
      if (sim.power[position] !== STOPPED || sim.stoppedBy[position] !== number) return;
      sim.note("fault", sim.plan.ids[position], "resume");
      goOn(sim, position);
    });
  }
}

/** A stopped station goes on with the state it had. */
export function goOn(sim: Simulation, position: number): void {
  if (sim.power[position] !== STOPPED) return;
  sim.power[position] = RUNNING;
  sim.timers.resume(position);
  reconnect(sim, position, "back");
}

/** The link from a station to its successor breaks; on a hub that is its line to the host. */
export function cutLink(sim: Simulation, position: number): void {
  sim.cut[position] = (sim.cut[position] as number) | LINK_CUT;
  watchSilence(sim, position);
}

/** Nothing reaches the station any more; on a hub that is the host's line to it. It may still send. */
export function deafen(sim: Simulation, position: number): void {
  sim.deaf[position] = 1;
  watchSilence(sim, position);
}

/** Both directions of a station's link are whole again. */
export function mendLink(sim: Simulation, position: number): void {
  sim.cut[position] = (sim.cut[position] as number) & ~LINK_CUT;
  sim.deaf[position] = 0;
  if (sim.power[position] === RUNNING) reconnect(sim, position, "back");
}

export function bypass(sim: Simulation, position: number, cause: string): void {
  if (!sim.mau.bypass(position)) return;
  if (sim.power[position] !== DEAD) sim.cut[position] = (sim.cut[position] as number) | NOT_CARRIED;
  sim.note("bypass", sim.plan.ids[position], cause);
}

export function insert(sim: Simulation, position: number, cause: string): void {
  if (!sim.mau.insert(position)) return;
  sim.cut[position] = (sim.cut[position] as number) & ~NOT_CARRIED;
  sim.medium.flush(position);
  sim.note("insert", sim.plan.ids[position], cause);
}

/** The hub inserts a station from which it hears; one that hears nothing itself soon falls silent again. */
function reconnect(sim: Simulation, position: number, cause: string): void {
  if ((sim.cut[position] as number) & LINK_CUT) return;
  insert(sim, position, cause);
  if (sim.deaf[position]) watchSilence(sim, position);
}

/** On a hub the host bypasses a station that stays silent. A deaf one has nothing to repeat and counts as silent. */
function watchSilence(sim: Simulation, position: number): void {
  if (sim.plan.wiring !== "hub") return;
  sim.at(sim.clock.now + silenceMicros(sim), () => {
    const linked = (sim.cut[position] as number) & LINK_CUT || sim.deaf[position];
    if (sim.power[position] === STOPPED || (linked && sim.power[position] === RUNNING)) {
      bypass(sim, position, "silent");
    }
  });
}
