/** Every protocol there is. A board may install fewer. */
import { activeMonitor } from "./active-monitor.js";
import { beacon } from "./beacon.js";
import { bully } from "./bully.js";
import { changRoberts } from "./chang-roberts.js";
import { data } from "./data.js";
import { hello } from "./hello.js";
import { install } from "./registry.js";
import { ringElection } from "./ring-election.js";
import { tokenRing } from "./token-ring.js";

/** What every station carries, whichever election and mutual exclusion it uses. */
export const CORE = [tokenRing, activeMonitor, beacon, data, hello];

/** The elections to choose from. */
export const ELECTIONS = [bully, ringElection, changRoberts];

/** Puts every protocol into the tables. */
export function installAll() {
  CORE.concat(ELECTIONS).forEach(install);
}
