// Shapes shared by all firmware files. Types only: nothing of this reaches a board.
import type {
  BerkeleyState,
  ClockState,
  CristianState,
  LogicalState,
  ResourceState,
} from "./clocks/clock-states.d.ts";
import type {
  CentralState,
  LamportState,
  MaekawaState,
  RaymondState,
  RicartState,
  SuzukiState,
  VotingState,
} from "./mutex/mutex-states.d.ts";
import type { Traits } from "./traits.d.ts";

/** One frame, inside a station. `flags` is a sum of COPIED and SEEN (frame.js). */
export interface Frame {
  type: string;
  src: number;
  dst: number;
  args: (number | string)[];
  flags: number;
}

/** Why a line is no good frame. */
export type Refusal = "no-start" | "no-end" | "too-long" | "bad-fcs" | "bad-field" | "unknown-type";

/** All that a station can do to the world. One object serves any number of stations. */
export interface Io {
  /** Puts a frame on the link to the successor. First in, first out. */
  send(s: Station, frame: Frame): void;
  /** Sets the deadline of a named timer, `ms` from now; replaces an earlier one. */
  arm(s: Station, timer: string, ms: number): void;
  disarm(s: Station, timer: string): void;
  /** Reports an event; what the arguments mean is listed with the record types. */
  record(s: Station, event: string, a?: number | string, b?: number | string, c?: number | string): void;
  /** Milliseconds on the station's own clock; only differences mean anything. */
  now(s: Station): number;
  /** Uniform in [0, 1). */
  random(s: Station): number;
}

/** Time limits in milliseconds; limits.js computes them from the ring. */
export interface Limits {
  hop: number;
  rotation: number;
  token: number;
  probe: number;
  purge: number;
  announce: number;
  quiet: number;
  standby: number;
  slot: number;
  election: number;
}

export interface Settings {
  /** Ids of every station that belongs to the ring, ascending; Bully asks those above its own. */
  members: number[];
  /** Name of the election protocol. */
  election: string;
  /** Name of the mutual exclusion protocol. */
  mutex: string;
  /** How long an idle station keeps the token, ms: slows the ring down so that people can watch. */
  holdMs: number;
  /** How long a critical section lasts, ms; -1: until the release command. */
  criticalMs: number;
  /** Longest entry before the monitor gives it up for lost, ms; 0: no lease. */
  leaseMs: number;
  /** A higher id waits so long before it takes over from a lower coordinator, ms; -1: it never does. */
  preemptMs: number;
  /** Epochs and election numbers are round * step + id; step is above every id. */
  step: number;
  limits: Limits;
}

export interface TokenState {
  held: boolean;
  epoch: number;
  hop: number;
  grant: number;
}

export interface MonitorState {
  duty: boolean;
  announced: number;
  /** Tokens that came here since the last own announcement. */
  tokens: number;
  /** More than one came while the announcement before went round. */
  twice: boolean;
  probe: number;
  probing: boolean;
  probedAt: number;
  preempting: boolean;
  purging: number;
  /** Epoch that this monitor made, or found by its first probe; -1: that is not back. */
  dutyEpoch: number;
  /** Since when every probe has come back marked by the same station with no token seen here; -1: not so. */
  markedAt: number;
  /** The mark of the last probe. */
  marker: number;
  /** Since when purges come back busy; -1: not so. */
  busyAt: number;
  /** The last announcement, probe and beacon seen of others: a second sight is an orphan. */
  lastAnnouncer: number;
  lastAnnounced: number;
  lastProber: number;
  lastProbe: number;
}

export interface BeaconState {
  sending: boolean;
  number: number;
  lastOrigin: number;
  lastNumber: number;
  /** When a beacon last passed here, ms; -1: never. While it is recent no election can succeed. */
  brokenAt: number;
}

export interface BullyState {
  /** 0 idle, 1 waiting for OK, 2 waiting for COORDINATOR, 3 own COORDINATOR frames on their way round */
  phase: number;
  election: number;
  /** Own ELECTION, or own COORDINATOR, frames still on their way round. */
  out: number;
  /** How many came back copied, so that an OK is due. */
  copied: number;
  tries: number;
}

export interface RingElectionState {
  /** Own election under way; 0: none. */
  election: number;
  /** Own result under way; 0: none. */
  announcing: number;
  /** Highest election whose result was applied here. */
  applied: number;
  tries: number;
}

export interface ChangRobertsState {
  participant: boolean;
  election: number;
  applied: number;
  tries: number;
  /** Greatest id sent on since the station takes part, and the election it was sent in. */
  passed: number;
  passedIn: number;
}

/** The whole state of a station: plain data, so that it can be copied, compared, printed and restored. */
export interface Station {
  id: number;
  bootId: number;
  settings: Settings;
  /** Only a wire: the test for another board with its id is not over, or has found one. */
  bypassed: boolean;
  /** Another board has the id; this one stays out of the ring. */
  refused: boolean;
  /** False until the station has heard the current epoch, or knows that nobody is there. */
  joined: boolean;
  coordinator: number;
  /** Highest epoch known, and the highest hop seen in it (-1: none). */
  epoch: number;
  hop: number;
  /** Round of the highest election number seen. */
  electionRound: number;
  predecessor: number;
  heardAt: number;
  othersAt: number;
  /** When the monitor, or an election that will make one, was last heard. */
  monitorAt: number;
  tokenAt: number;
  /** A good token passed since this was last cleared. */
  tokenSeen: boolean;
  /** Somebody has asked before the station has joined: it asks the others when it has. */
  early: boolean;
  wants: boolean;
  inside: boolean;
  fenceEpoch: number;
  fenceGrant: number;
  /** Text waiting for the token, and its destination. */
  outbox: string;
  outboxTo: number;
  token: TokenState;
  monitor: MonitorState;
  /** Only where links are wires of their own. */
  beacon: BeaconState;
  bully: BullyState;
  ring: RingElectionState;
  changRoberts: ChangRobertsState;
  /** Of these, a station has the one of the mutual exclusion that it uses. */
  lamport: LamportState;
  ricart: RicartState;
  maekawa: MaekawaState;
  suzuki: SuzukiState;
  raymond: RaymondState;
  central: CentralState;
  voting: VotingState;
  /** These are made when they are first used. */
  clock?: ClockState;
  cristian?: CristianState;
  berkeley?: BerkeleyState;
  logical?: LogicalState;
  resources?: ResourceState;
  [protocol: string]: unknown;
}

export type Handler = (io: Io, s: Station, frame: Frame) => boolean | void;

export interface FrameType {
  /** Number of arguments; -n: at least n. */
  args: number;
  /**
   * Names of the arguments, for people; a last one that ends in "..." stands for all that follow. Left out of the boot
   * code.
   */
  fields: readonly string[];
  handle: Handler;
  /** The station's own frame came back after one rotation. */
  returned?: Handler;
  /** At a station that is only a wire; it passes on what has no such handler. True: the frame goes no further. */
  wire?: Handler;
  /** The textbook's name, where the frame is a message in the textbook's sense. */
  message?: string;
  /** The arguments are text, not numbers. */
  text?: boolean;
  /** Name of the mutual exclusion protocol that the frame belongs to; set when it is installed. */
  mutex?: string;
}

/** Mutual exclusion: the station wants to enter, it has left. */
export interface Mutex {
  request(io: Io, s: Station): void;
  /** Called when the station has left its critical section. */
  release(io: Io, s: Station): void;
  /**
   * Called at the coordinator when the ring has been purged: every station knows the new epoch, and nobody is inside
   * in an older one, unless its lease has run out. A protocol without it needs no coordinator.
   */
  begin?(io: Io, s: Station, epoch: number): void;
}

export interface Protocol {
  name: string;
  /** Writes the protocol's part of a new station's state, where it has one. */
  create?(s: Station): void;
  frames: { [type: string]: FrameType };
  timers: { [name: string]: (io: Io, s: Station) => void };
  election?: { start(io: Io, s: Station, cause: string): void };
  mutex?: Mutex;
  /** What the host asks of it; left out of the boot code. */
  traits?: Traits;
}
