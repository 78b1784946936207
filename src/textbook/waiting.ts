/** Why nothing moves any more: which dead station breaks the assumption that an algorithm rests on. */
import { protocolNamed } from "../protocols/registry.ts";
import { RUNNING, type Simulation } from "../simulation/simulation.ts";

/** @returns sentences, for example "station 3 is dead and stations 1, 2 and 4 wait for its REPLY" */
export function whyWaiting(sim: Simulation): string[] {
  const protocol = protocolNamed(sim.settings.mutex);
  const { waits, token } = protocol?.traits ?? {};
  const running = sim.stations.filter((_, p) => sim.power[p] === RUNNING);
  const dead = sim.plan.ids.filter((_, p) => sim.power[p] !== RUNNING);
  const found: string[] = [];
  for (const id of dead) {
    const waiting = new Map<string, number[]>();
    for (const s of running) {
      for (const [of, message] of waits?.(s) ?? []) {
        if (of === id) waiting.set(message, [...(waiting.get(message) ?? []), s.id]);
      }
    }
    for (const [message, ids] of waiting) {
      found.push(`station ${id} is dead and ${stations(ids)} for its ${message}`);
    }
  }
  const wanting = running.filter((s) => s.wants).map((s) => s.id);
  if (!found.length && dead.length && wanting.length && token && !running.some((s) => token.held(s))) {
    const name = protocol?.frames[token.type]?.message ?? "token";
    found.push(
      `the token is gone with a dead station (${dead.join(", ")}) and ${stations(wanting)} for the ${name}`,
    );
  }
  return found;
}

function stations(ids: readonly number[]): string {
  if (ids.length === 1) return `station ${ids[0]} waits`;
  return `stations ${ids.slice(0, -1).join(", ")} and ${ids[ids.length - 1]} wait`;
}
