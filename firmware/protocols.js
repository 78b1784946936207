/** Every protocol there is. A board may install fewer. */
import { activeMonitor } from "./active-monitor.js";
import { beacon } from "./beacon.js";
import { berkeley } from "./berkeley.js";
import { bully } from "./bully.js";
import { centralised } from "./centralised.js";
import { changRoberts } from "./chang-roberts.js";
import { cristian } from "./cristian.js";
import { data } from "./data.js";
import { decentralised } from "./decentralised.js";
import { duplicateTest } from "./duplicate-test.js";
import { edgeChasing } from "./edge-chasing.js";
import { hello } from "./hello.js";
import { lamport } from "./lamport.js";
import { maekawa } from "./maekawa.js";
import { ringPurge } from "./purge.js";
import { raymond } from "./raymond.js";
import { install } from "./registry.js";
import { ricartAgrawala } from "./ricart-agrawala.js";
import { ricartAgrawalaImplicit } from "./ricart-agrawala-implicit.js";
import { ringElection } from "./ring-election.js";
import { stamps } from "./stamps.js";
import { suzukiKasami } from "./suzuki-kasami.js";
import { tokenRing } from "./token-ring.js";

/** What every station carries, whichever election and mutual exclusion it uses. */
export const CORE = [tokenRing, activeMonitor, ringPurge, data, hello, duplicateTest];

/** What a station carries beside it where links are wires of their own: a hub finds a dead station itself. */
export const WIRED = [beacon];

/** The elections to choose from. */
export const ELECTIONS = [bully, ringElection, changRoberts];

/** The mutual exclusions to choose from; the token ring is in the core. */
export const MUTEXES = [
  tokenRing,
  centralised,
  decentralised,
  lamport,
  ricartAgrawala,
  ricartAgrawalaImplicit,
  maekawa,
  suzukiKasami,
  raymond,
];

/** Clocks, timestamps and resources: what a station can do beside mutual exclusion and elections. */
export const EXTRAS = [cristian, berkeley, stamps, edgeChasing];

/** Puts every protocol into the tables. */
export function installAll() {
  CORE.concat(WIRED, ELECTIONS, MUTEXES, EXTRAS).forEach(install);
}
