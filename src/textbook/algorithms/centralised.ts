import { exactly } from "../bounds.ts";
import type { MutexDescriptor } from "../descriptor.ts";

export const centralised: MutexDescriptor = {
  name: "centralised",
  kind: "mutual exclusion",
  title: "Centralised",
  source: "Tanenbaum and Van Steen, Distributed Systems",
  messages: "3 an entry",
  order: "as requests reach the coordinator",
  breaks:
    "the coordinator's death costs an election, that of the station inside a purge; one that never leaves stops all unless leases are on",
  scenario: "ringlab mutex --algorithm centralised --stations 5 --request 1,2,4 --down 5",
  theory: ({ contenders, coordinator }) =>
    exactly(
      3 * contenders.filter((id) => id !== coordinator).length,
      "3 an entry (REQUEST, GRANT, RELEASE), none for the coordinator itself",
    ),
};
