/** Every protocol there is. A board may install fewer. */

import { berkeley } from "./clocks/berkeley.js";
import { cristian } from "./clocks/cristian.js";
import { stamps } from "./clocks/stamps.js";
import { edgeChasing } from "./deadlock/edge-chasing.js";
import { bully } from "./election/bully.js";
import { changRoberts } from "./election/chang-roberts.js";
import { ringElection } from "./election/ring-election.js";
import { centralised } from "./mutex/centralised.js";
import { decentralised } from "./mutex/decentralised.js";
import { lamport } from "./mutex/lamport.js";
import { maekawa } from "./mutex/maekawa.js";
import { raymond } from "./mutex/raymond.js";
import { ricartAgrawala } from "./mutex/ricart-agrawala.js";
import { ricartAgrawalaImplicit } from "./mutex/ricart-agrawala-implicit.js";
import { suzukiKasami } from "./mutex/suzuki-kasami.js";
import { install } from "./registry.js";
import { activeMonitor } from "./ring/active-monitor.js";
import { beacon } from "./ring/beacon.js";
import { data } from "./ring/data.js";
import { duplicateTest } from "./ring/duplicate-test.js";
import { hello } from "./ring/hello.js";
import { ringPurge } from "./ring/purge.js";
import { tokenRing } from "./ring/token-ring.js";

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

/** What a ring runs that is not told otherwise. */
export const DEFAULT_ELECTION = bully.name;
export const DEFAULT_MUTEX = tokenRing.name;

/** What is flashed beside the core where nobody says more: it fits the smallest boards. */
export const SMALL = [bully.name, ringElection.name];

/** Costs the least where many stations start one after the other: for rings that are far wider than any of boards. */
export const WIDE_ELECTION = changRoberts.name;

/** Puts every protocol into the tables. */
export function installAll() {
  CORE.concat(WIRED, ELECTIONS, MUTEXES, EXTRAS).forEach(install);
}
