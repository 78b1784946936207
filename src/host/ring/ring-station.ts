/** One station of a ring as the host sees it, whatever it is made of. */
import type { Settings } from "../../../firmware/types.d.ts";

/** What a station tells the host. Times are host time in µs. */
export interface StationEvents {
  /** A frame for the successor (hub). */
  transmit(line: string, at: number): void;
  /** A frame that came in on the station's own UART (wired). */
  receive(line: string, at: number): void;
  /** An event of the firmware, with its arguments as text. `board`: the station's own time, µs. */
  record(event: string, args: string[], at: number, board?: number): void;
  /** Console output that is no record. */
  text(text: string, at: number): void;
  /** So many bytes of a line without end were thrown away. */
  overflow(count: number): void;
  /** A record came damaged, and is not used. */
  damaged(): void;
  /** Something about the port that a person should know, in words. */
  remark(text: string): void;
  lost(reason: string): void;
  /** It is there again; `boot` differs from the one before when it was restarted. */
  back(boot: number): void;
  /** Where it is looked for there is a station with another id. */
  stranger(id: number, bootId: string, port: string): void;
}

/** The configuration with which a station starts; `settings` are those of the whole ring. */
export interface StationConfig {
  id: number;
  settings: Settings;
  [key: string]: unknown;
}

export type StationCommand = "request" | "release" | "elect" | "hello";

/** What a station can do to itself: `pause` is a hang that ends by itself, `resume` ends both. */
export type StationFault = "crash" | "hang" | "pause" | "resume" | "restart";

/** Standing still: powered, but deaf and mute. Dead: its state is gone, and only a restart helps. */
export type Condition = "running" | "still" | "dead";

export interface RingStation {
  readonly id: number;
  /** The port, or "simulated". */
  readonly where: string;
  /** The boot id that it last reported, undefined before that and where there is none. */
  readonly boot?: number | undefined;
  /** Highest epoch that it knew when it was last asked who it is; undefined where it has none of its own. */
  readonly epoch?: number | undefined;
  /** What faults have made of it, as far as is known. */
  readonly condition: Condition;
  events: StationEvents;
  /** Starts with a configuration; one that it runs with already changes nothing. */
  start(config: StationConfig): Promise<boolean>;
  /**
   * Hands over a frame from the predecessor.
   * @param done told, before anything that the frame causes, the host time at which the station had it, µs; null: it is lost
   */
  deliver(line: string, done: (at: number | null) => void): void;
  command(name: StationCommand): Promise<boolean>;
  send(to: number, text: string): Promise<boolean>;
  /**
   * A restarted station is to be talked to anew with `reconnect`; one that goes on says so with a record.
   * @param ms how long a pause lasts
   * @returns false when it does not answer
   */
  fault(kind: StationFault, ms?: number): Promise<boolean>;
  /**
   * The host is still there, and knows this epoch.
   * @param first the station may have booted without the host: it goes on from this epoch
   * @returns false when the station does not answer
   */
  attach(epoch: number, first?: boolean): Promise<boolean>;
  /** Talks to the station anew after its power was gone. @returns its boot id, null when nothing answers */
  reconnect(): Promise<number | null>;
  /** It may have started anew while its port stayed open: asks it, and tells `back` if so. */
  verify?(): void;
  /** Throws away what waits to be handed over: a station that is inserted again has no use for it. */
  discard?(): void;
  stop(): Promise<void>;
}
