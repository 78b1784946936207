import { coordinatorsOf } from "../../../firmware/mutex/decentralised.js";
import { exactly } from "../bounds.ts";
import type { MutexDescriptor } from "../descriptor.ts";
import { ascending, sum } from "../sums.ts";

export const decentralised: MutexDescriptor = {
  name: "decentralised",
  kind: "mutual exclusion",
  title: "Decentralised (majority vote)",
  source: "Lin, Lian, Chen and Zhang 2004",
  messages: "2mk + m an entry with m coordinators and k tries",
  order: "by chance",
  breaks:
    "a majority of the coordinators dead: nobody enters; one that restarts forgets its vote, and two may enter",
  scenario: "ringlab mutex --algorithm decentralised --stations 5 --request 4 --down 1,2,3",
  stops: /station 4 asked and was not served/,
  theory({ ids, contenders }) {
    const coordinators = coordinatorsOf(ascending(ids));
    const least = sum(contenders, (id) => 3 * coordinators.filter((other) => other !== id).length);
    const formula = "2mk + m an entry with m coordinators asked and k tries, those at one's own station free";
    return contenders.length === 1 ? exactly(least, formula) : { least, most: Infinity, formula };
  },
};
