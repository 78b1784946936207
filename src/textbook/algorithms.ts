/** Every algorithm of the textbook that runs here: where it is from, what it costs, and what breaks it. */

export interface Algorithm {
  /** The name that options and tables use. */
  name: string;
  kind: "mutual exclusion" | "election" | "clocks" | "deadlock";
  title: string;
  /** Paper or book, with its year. */
  source: string;
  /** Messages, as the textbook writes them, for N stations. */
  messages: string;
  /** In which order those that wait are served, who wins, or what else it gives. */
  order: string;
  /** The assumption that it rests on, and what happens without it. */
  breaks: string;
  /** A command that shows it. */
  scenario: string;
}

export const ALGORITHMS: readonly Algorithm[] = [
  {
    name: "token-ring",
    kind: "mutual exclusion",
    title: "Token ring",
    source: "Tanenbaum and Van Steen, Distributed Systems; IEEE 802.5 (1985) for the monitor",
    messages: "1 to N-1 an entry, about 1 when all ask, without end when nobody does",
    order: "round the ring from the token",
    breaks:
      "a lost token: the coordinator proves it lost and makes a new one; its own death costs an election",
    scenario: "ringlab mutex --algorithm token-ring --stations 5 --request 1,2,4 --down 5",
  },
  {
    name: "centralised",
    kind: "mutual exclusion",
    title: "Centralised",
    source: "Tanenbaum and Van Steen, Distributed Systems",
    messages: "3 an entry",
    order: "as requests reach the coordinator",
    breaks:
      "the coordinator's death costs an election, that of the station inside a purge; one that never leaves stops all unless leases are on",
    scenario: "ringlab mutex --algorithm centralised --stations 5 --request 1,2,4 --down 5",
  },
  {
    name: "decentralised",
    kind: "mutual exclusion",
    title: "Decentralised (majority vote)",
    source: "Lin, Lian, Chen and Zhang 2004",
    messages: "2mk + m an entry with m coordinators and k tries",
    order: "by chance",
    breaks:
      "a majority of the coordinators dead: nobody enters; one that restarts forgets its vote, and two may enter",
    scenario: "ringlab mutex --algorithm decentralised --stations 5 --request 4 --down 1,2,3",
  },
  {
    name: "lamport",
    kind: "mutual exclusion",
    title: "Lamport",
    source: "Lamport 1978",
    messages: "3(N-1) an entry",
    order: "by (timestamp, id)",
    breaks: "any dead station: all wait for its REPLY; messages that overtake one another: two may enter",
    scenario: "ringlab mutex --algorithm lamport --stations 5 --request 1,2,4 --down 3",
  },
  {
    name: "ricart-agrawala",
    kind: "mutual exclusion",
    title: "Ricart and Agrawala",
    source: "Ricart and Agrawala 1981",
    messages: "2(N-1) an entry",
    order: "by (timestamp, id)",
    breaks: "any dead station: all wait for its REPLY",
    scenario: "ringlab mutex --algorithm ricart-agrawala --stations 5 --request 1,2,4 --down 3",
  },
  {
    name: "ricart-agrawala-implicit",
    kind: "mutual exclusion",
    title: "Ricart and Agrawala, implicit replies",
    source: "Ricart and Agrawala 1981, with a later request taken for the reply",
    messages: "k(N-1) + k(k-1)/2 + k(N-k) for k that ask at once",
    order: "by (timestamp, id)",
    breaks: "any dead station: all wait for its REPLY",
    scenario: "ringlab mutex --algorithm ricart-agrawala-implicit --stations 5 --request 1,2,4 --down 3",
  },
  {
    name: "maekawa",
    kind: "mutual exclusion",
    title: "Maekawa (grid)",
    source: "Maekawa 1985, with the FAILED of Sanders 1987",
    messages: "3(K-1) an entry with a quorum of K = 2 sqrt(N) - 1, more when others ask too",
    order: "mostly by (timestamp, id)",
    breaks: "a dead station: those that have it in their quorum wait for its GRANT",
    scenario: "ringlab mutex --algorithm maekawa --stations 9 --request 1,5 --down 3",
  },
  {
    name: "suzuki-kasami",
    kind: "mutual exclusion",
    title: "Suzuki and Kasami",
    source: "Suzuki and Kasami 1985",
    messages: "N an entry, 0 for the station that has the token",
    order: "as the token's queue has it",
    breaks: "the death of the station that has the token, unless it is the coordinator",
    scenario:
      'ringlab run --mutex suzuki-kasami --critical 1s --at "3s request 2" --at "3500ms crash 2" --at "4s request 1"',
  },
  {
    name: "raymond",
    kind: "mutual exclusion",
    title: "Raymond (tree)",
    source: "Raymond 1989",
    messages: "at most 2D an entry in a tree of diameter D, O(log N)",
    order: "as the queues along the tree have it",
    breaks: "a dead station on the way to the token: those behind it wait for the TOKEN",
    scenario: "ringlab mutex --algorithm raymond --stations 5 --request 3,4 --down 1",
  },
  {
    name: "bully",
    kind: "election",
    title: "Bully",
    source: "Garcia-Molina 1982",
    messages: "N-1 when the second highest starts, O(N^2) when the lowest does",
    order: "the highest live id wins",
    breaks: "a partition: one coordinator on each side, until it heals",
    scenario: "ringlab elect --algorithm bully --stations 7 --down 7 --starter 1",
  },
  {
    name: "ring",
    kind: "election",
    title: "Ring election",
    source: "Tanenbaum and Van Steen, Distributed Systems",
    messages: "2m with m live stations, for each starter",
    order: "the highest live id wins",
    breaks: "a break of the ring: no list comes back, and the station behind it sends beacons",
    scenario: "ringlab elect --algorithm ring --ids 0-7 --down 7 --starter 2,5",
  },
  {
    name: "chang-roberts",
    kind: "election",
    title: "Chang and Roberts",
    source: "Chang and Roberts 1979",
    messages: "N to 2N-1 ELECTION from one starter, N H(N) on average when all start, N ELECTED",
    order: "the highest live id wins",
    breaks: "a break of the ring: no id comes back, and the station behind it sends beacons",
    scenario: "ringlab elect --algorithm chang-roberts --ids 5,4,3,2,1 --starter 1-5",
  },
  {
    name: "cristian",
    kind: "clocks",
    title: "Cristian",
    source: "Cristian 1989",
    messages: "2 a setting (TIME REQUEST, TIME REPLY)",
    order: "the coordinator's time, right to within half the round trip",
    breaks: "two ways that differ: on a ring nearly the whole bound; a dead coordinator answers nobody",
    scenario: 'ringlab run --stations 5 --duration 6s --at "3s jump 1 2s" --at "4s cristian 1"',
  },
  {
    name: "berkeley",
    kind: "clocks",
    title: "Berkeley",
    source: "Gusella and Zatti 1989",
    messages: "3(N-1) a setting (POLL, TIME, ADJUST)",
    order: "the average of all clocks; no clock goes backwards",
    breaks: "two ways that differ, as with Cristian; a clock far from the others is not counted",
    scenario: 'ringlab run --stations 5 --duration 6s --at "3s jump 1 2s" --at "4s berkeley 5"',
  },
  {
    name: "stamps",
    kind: "clocks",
    title: "Lamport, vector and hybrid clocks",
    source: "Lamport 1978; Fidge 1988 and Mattern 1989; Kulkarni and others 2014",
    messages: "none of their own",
    order: "what happened before has the lower timestamp; with vectors, only that",
    breaks: "a station that restarts begins at 0 again",
    scenario: 'ringlab run --stations 3 --duration 6s --at "3s stamp 1 2" --at "4s stamp 2 3"',
  },
  {
    name: "edge-chasing",
    kind: "deadlock",
    title: "Edge chasing",
    source: "Chandy, Misra and Haas 1983",
    messages: "a PROBE along each edge of the graph of those that wait, once for each initiator",
    order: "the station whose probe comes back knows of the cycle",
    breaks: "a dead station in the cycle: no probe passes, and nobody waits for ever but for it",
    scenario:
      'ringlab run --stations 3 --duration 6s --at "3s acquire 1 0" --at "3s acquire 2 1" --at "4s acquire 1 1" --at "4s acquire 2 0"',
  },
];

/** Names of the algorithms that the tables compare: those that do the same thing at a different cost. */
export const COMPARED: readonly Algorithm[] = ALGORITHMS.filter(
  ({ kind }) => kind === "mutual exclusion" || kind === "election",
);

/** Names of the mutual exclusion algorithms, in the order of the tables. */
export const MUTEX_NAMES: readonly string[] = ALGORITHMS.filter(
  ({ kind }) => kind === "mutual exclusion",
).map(({ name }) => name);
