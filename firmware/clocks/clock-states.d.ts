// The states of clocks and of resources, made when a station first uses them. Types only: nothing of this reaches a board.

export interface ClockState {
  /** When it was last looked at, on the station's unset clock, microseconds. */
  at: number;
  /** What it showed then. */
  shown: number;
  /** By how much it is still ahead of the time it was set to. */
  ahead: number;
}

export interface CristianState {
  /** Number of the last question, and when it was asked; 0: it is answered. */
  number: number;
  sentAt: number;
}

export interface BerkeleyState {
  /** The coordinator: number of the last poll, when it was sent, and who is still to answer. */
  number: number;
  sentAt: number;
  missing: number[];
  /** Who has answered, and by how much the clock of each is ahead. */
  ids: number[];
  offsets: number[];
  /** The others: number of the last poll after which the clock was moved. */
  moved: number;
}

export interface LogicalState {
  /** Lamport clock. */
  lamport: number;
  /** Vector clock, by the place in the list of members. */
  vector: number[];
  /** Hybrid clock: the highest time seen, whole milliseconds, and a count of events in it. */
  wall: number;
  count: number;
}

export interface ResourceState {
  /** The client: resources it holds, the one it waits for (-1: none), and who holds that (-1: not known). */
  held: number[];
  wanted: number;
  holder: number;
  /** Number of the own last probe, and the probes that this station has passed on while it waits. */
  probe: number;
  passed: number[];
  /** The manager: its resources that are in use, the holder of each, and who waits for each. */
  used: number[];
  users: number[];
  queues: number[][];
}
