import { exactly } from "../bounds.ts";
import type { ElectionDescriptor } from "../descriptor.ts";
import { sum } from "../sums.ts";

export const bully: ElectionDescriptor = {
  name: "bully",
  kind: "election",
  title: "Bully",
  source: "Garcia-Molina 1982",
  messages: "N-1 when the second highest starts, O(N^2) when the lowest does",
  order: "the highest live id wins",
  breaks: "a partition: one coordinator on each side, until it heals",
  scenario: "ringlab elect --algorithm bully --stations 7 --down 7 --starter 1",
  /**
   * Each live station from the lowest starter up holds one election: ELECTION to every higher id, dead or alive,
   * an OK from each that lives; at last COORDINATOR to every lower id.
   */
  theory({ ids, down, starters }) {
    const live = ids.filter((id) => !down.includes(id));
    const first = Math.min(...starters);
    const winner = Math.max(...live);
    const holders = live.filter((id) => id >= first);
    const election = sum(holders, (holder) => ids.filter((id) => id > holder).length);
    const ok = (holders.length * (holders.length - 1)) / 2;
    const coordinator = ids.filter((id) => id < winner).length;
    const formula =
      "one election per live station from the starter up: ELECTION to all higher, OK from the live, COORDINATOR to all lower";
    const total = election + ok + coordinator;
    // While the highest of all is dead its absence takes a rotation to show, and every ELECTION arrives before that.
    // Alive, it announces itself at once: an ELECTION still under way may then start another round.
    const overtaken = winner === Math.max(...ids) && first !== winner;
    if (starters.length === 1) {
      return overtaken
        ? {
            least: total,
            most: Infinity,
            formula: `${formula}; more where COORDINATOR overtakes an ELECTION`,
          }
        : exactly(total, formula);
    }
    // One that starts when the highest has announced itself already makes it announce itself again.
    const asked = sum(starters, (starter) => ids.filter((id) => id > starter).length);
    return { least: asked + coordinator, most: Infinity, formula: `${formula}; more where starters overlap` };
  },
  rings: [5, 6, 7].map((stations) => ({ stations, down: [stations] })),
};
