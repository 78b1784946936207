/** A board, real or emulated, behind its console. */
import { CONSOLE_VERSION } from "../../../firmware/board/console-version.js";
import type { Link } from "../../link/link.ts";
import { ReconnectingLink, type ReconnectOptions } from "../../link/reconnect.ts";
import { hostClock, hostTimers, pause, within } from "../../link/time.ts";
import { type Answer, BoardConsole } from "../console/board-console.ts";
import type { BoardInfo } from "../console/board-info.ts";
import { BoardPins } from "../console/board-pins.ts";
import { ClockAlignment } from "../console/clock-alignment.ts";
import type {
  Condition,
  RingStation,
  StationCommand,
  StationConfig,
  StationEvents,
  StationFault,
} from "./ring-station.ts";

/** Each time so often, a second apart: probe and connect together outlast a packet that was broken off. */
const TRIES = 4;
/** Four tries and an answer, ms. */
const PROBE_LIMIT_MS = 8000;
/** An answer that takes longer than a rotation is asked for again, but none sooner than this, ms. */
const LEAST_PATIENCE_MS = 40;
/** So many damaged or lost lines within so long, µs, are no accident. */
const TROUBLES = 6;
const TROUBLE_MICROS = 10_000_000;
/** A board that has said that it restarts has left its old program by then, ms. */
const LEAVES_MS = 300;

/** The consoles of many boards are UARTs. */
const SLOW_CONSOLE =
  "One whose console is a UART may speak at another speed: --baud 9600, or its type in a bench file";
/** A board gets so long to answer the farewell, ms: whoever has pressed Ctrl-C waits for it. */
const FAREWELL_MS = 500;

const AFTER: { [kind in StationFault]?: Condition } = { hang: "still", pause: "still", crash: "dead" };

const NO_EVENTS: StationEvents = {
  transmit() {},
  receive() {},
  record() {},
  text() {},
  overflow() {},
  damaged() {},
  remark() {},
  lost() {},
  back() {},
  stranger() {},
};

export class BoardStation implements RingStation {
  readonly clock = new ClockAlignment();
  events: StationEvents = NO_EVENTS;
  id: number;
  info: BoardInfo | null = null;
  condition: Condition = "running";
  /** The board's pins, for whoever wants them beside the ring. */
  readonly pins: BoardPins;
  readonly #link: ReconnectingLink;
  readonly #console: BoardConsole;
  /** Settled when a board that restarts has left its old program. */
  #left: Promise<void> | undefined;
  /** Somebody finds out already whether it is the board that it was. */
  #verifying = false;
  /** Host times of lines that did not arrive as they were sent, µs. */
  #troubles: number[] = [];
  #told = false;

  /**
   * @param id what the station is to be called, until the board says otherwise
   * @param connect makes a link to a path, not open
   */
  constructor(
    id: number,
    path: string,
    connect: (path: string) => Link,
    options: Partial<ReconnectOptions> = {},
  ) {
    this.id = id;
    this.#link = new ReconnectingLink({
      probeLimitMs: PROBE_LIMIT_MS,
      ...options,
      path,
      connect,
      probe: (link) => this.#probe(link),
      onReturn: () => void this.#greet(),
      onStranger: ({ id, bootId }, path) => this.events.stranger(id, bootId, path),
    });
    this.#console = new BoardConsole(
      this.#link,
      {
        onRecord: (event, args, board, at) => this.#record(event, args, board, at),
        onText: (text, at) => this.events.text(text, at),
        onDamaged: () => {
          this.events.damaged();
          this.#trouble(true);
        },
        onLostAnswer: () => this.#trouble(false),
        onRestart: () => {
          // A clock that has begun anew is not the one that was aligned.
          this.clock.reset();
          this.verify();
        },
        onLost: (reason) => {
          this.pins.lost(reason);
          this.events.lost(reason);
        },
        onOverflow: (count) => this.events.overflow(count),
      },
      hostClock,
    );
    this.pins = new BoardPins(this.#console);
  }

  get where(): string {
    return this.#link.path;
  }

  get boot(): number | undefined {
    return this.info?.boot;
  }

  get epoch(): number | undefined {
    return this.info?.epoch;
  }

  /**
   * Opens the port and finds out who is there.
   * @returns what is wrong, in words; null when a station answers
   * @throws LinkError when the port cannot be opened
   */
  async connect(): Promise<string | null> {
    await this.#link.open();
    if (!(await this.#console.connect({ tries: TRIES, interrupt: true }))) {
      const { bytesIn, linesIn } = this.#link.counters;
      if (this.#link.state !== "open")
        return "the port was lost at once: unplug the board and plug it in again";
      if (bytesIn === 0)
        return `the port opened, but nothing answers: is a board on it, and powered? ${SLOW_CONSOLE}`;
      return `${bytesIn} bytes and ${linesIn} lines came, but no answer: is this an Espruino? ${SLOW_CONSOLE}`;
    }
    const info = await this.#console.info();
    if (!info) return "an Espruino answers, but no station: flash the firmware first (ringlab flash)";
    if (info.console !== CONSOLE_VERSION) {
      return `its firmware speaks console version ${info.console}, this program ${CONSOLE_VERSION}: flash it again (ringlab flash)`;
    }
    this.info = info;
    return null;
  }

  async start(config: StationConfig): Promise<boolean> {
    this.id = config.id;
    this.#console.patienceMs = Math.max(LEAST_PATIENCE_MS, config.settings.limits.rotation);
    const answered = this.#answered(await this.#console.call("configure", JSON.stringify(config)));
    if (answered && this.info) this.#link.learn({ id: config.id, bootId: String(this.info.boot) });
    return answered;
  }

  deliver(line: string, done: (at: number | null) => void): void {
    const settle = (answer: Answer | null) => {
      this.#answered(answer);
      done(answer && (this.clock.known ? Math.min(this.clock.toHost(answer.board), answer.at) : answer.at));
    };
    this.#console.callThen(settle, "frame", line);
  }

  async command(name: StationCommand): Promise<boolean> {
    return this.#answered(await this.#console.call(name));
  }

  async send(to: number, text: string): Promise<boolean> {
    return this.#answered(await this.#console.call("send", to, text));
  }

  async fault(kind: StationFault, ms = 0): Promise<boolean> {
    // What waits for a board that hears nothing would hold this up.
    if (this.condition !== "running") this.#console.drop();
    return new Promise<boolean>((resolve) => {
      const settle = (answer: Answer | null) => {
        // At once: the end of a short pause may be the next line.
        if (answer) this.condition = AFTER[kind] ?? this.condition;
        if (answer && kind === "restart") {
          this.#left = pause(LEAVES_MS);
          this.#verifying = true;
        }
        resolve(this.#answered(answer));
      };
      this.#console.callThen(settle, "fault", kind, ms);
    });
  }

  async attach(epoch: number, first = false): Promise<boolean> {
    const answered = this.#answered(await this.#console.call("attach", epoch, ...(first ? [1] : [])));
    // One that has started anew is told its configuration before it counts as there.
    return answered && !this.#verifying;
  }

  async reconnect(): Promise<number | null> {
    this.#verifying = true;
    try {
      return await this.#reconnect();
    } finally {
      this.#verifying = false;
    }
  }

  verify(): void {
    if (this.#verifying || !this.info) return;
    this.#verifying = true;
    void this.#console.info().then((info) => {
      this.#verifying = false;
      if (info && info.boot !== this.info?.boot) return this.#greet();
    });
  }

  /** Many lines of the board do not arrive as it sent them: says once what can be seen of the reason. */
  #trouble(damaged: boolean): void {
    const now = hostClock();
    this.#troubles = [...this.#troubles.filter((at) => now - at < TROUBLE_MICROS), now];
    if (this.#troubles.length < TROUBLES || this.#told) return;
    const readers = this.#link.otherReaders();
    if (readers.length === 0 && !damaged) return;
    this.#told = true;
    this.events.remark(
      readers.length > 0
        ? `${this.where}: bytes of station ${this.id} are missing, since ${readers.join(" and ")} reads this port, too: close it`
        : `${this.where}: many lines of station ${this.id} come damaged: is the wire loose, or does another program read the port?`,
    );
  }

  async #reconnect(): Promise<number | null> {
    await this.#left;
    this.clock.reset();
    this.#console.drop();
    if (!(await this.#console.connect({ tries: TRIES, interrupt: false }))) return null;
    const info = await this.#console.info();
    if (!info) return null;
    if (info.boot !== this.info?.boot) this.pins.restarted();
    this.pins.back();
    this.info = info;
    this.condition = "running";
    return info.boot;
  }

  discard(): void {
    this.#console.drop();
  }

  async stop(): Promise<void> {
    // What waits for a board that does not answer would take seconds for each call.
    this.#console.drop();
    if (this.info && this.#link.state === "open") await within(hostTimers, FAREWELL_MS, this.#farewell());
    this.#console.end();
    await this.#link.close();
  }

  async #farewell(): Promise<void> {
    await this.pins.release();
    await this.#console.call("detach");
  }

  #answered(answer: Answer | null): boolean {
    if (answer) this.clock.add(answer.sentAt, answer.board, answer.at);
    return answer !== null;
  }

  #record(event: string, args: string[], board: number, at: number): void {
    if (event === "pin") {
      this.pins.heard(args[0] ?? "", Number(args[1]));
      return;
    }
    const time = this.clock.known ? Math.min(this.clock.toHost(board), at) : at;
    if (event === "tx") this.events.transmit(args.join(","), time);
    else if (event === "rx") this.events.receive(args.join(","), time);
    else if (event === "fault" && args[0] === "resume") {
      this.condition = "running";
      this.events.record(event, args, time, board);
    } else this.events.record(event, args, time, board);
  }

  /** Talks to the board whose port has come back, until it answers or the port is gone again. */
  async #greet(): Promise<void> {
    do {
      const boot = await this.reconnect();
      if (boot !== null) {
        this.events.back(boot);
        return;
      }
    } while (this.#link.state === "open");
  }

  async #probe(link: Link) {
    const console = new BoardConsole(
      link,
      { onRecord() {}, onText() {}, onLost() {}, onOverflow() {} },
      hostClock,
    );
    if (!(await console.connect({ tries: TRIES, interrupt: false }))) return undefined;
    const info = await console.info();
    if (!info || info.id === undefined) return undefined;
    return { id: info.id, bootId: String(info.boot) };
  }
}
