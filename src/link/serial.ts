import { SerialPort } from "serialport";
import { causeText, explainSerial, LinkError } from "./errors.ts";
import { noticeHangUp } from "./hang-up.ts";
import type { Link, LinkOptions } from "./link.ts";
import { otherReaders, portAccess } from "./port-access.ts";
import { type Wire, type WireKind, WireLink, type WireSink } from "./wire-link.ts";

export interface SerialOptions extends LinkOptions {
  /** Default 115200. */
  baudRate?: number;
  /** Whether closing drops DTR, which resets many boards at the next opening. Default false. */
  hupcl?: boolean;
  /**
   * Level of the modem lines once open. Default true for both, as every system does on opening: boards with native USB
   * print only while DTR is set, and the auto-reset circuits of ESP boards rest while both lines are equal. A port
   * without modem lines, such as a pseudo terminal, opens all the same.
   */
  dtr?: boolean;
  rts?: boolean;
  /** Keeps other programs that ask for the lock too out of the port. Default true. */
  lock?: boolean;
}

type PortSettings = Required<Pick<SerialOptions, "baudRate" | "hupcl" | "dtr" | "rts" | "lock">>;

/** The part of a SerialPort that is used, so that a test can watch the calls. */
export type Port = Pick<
  SerialPort,
  "open" | "close" | "set" | "write" | "drain" | "flush" | "on" | "removeAllListeners" | "isOpen" | "port"
>;

export type PortMaker = (options: ConstructorParameters<typeof SerialPort>[0]) => Port;

/** A link over a serial port; see `linkTo` for the paths that are understood. */
export function serialLink(
  path: string,
  options: SerialOptions = {},
  makePort: PortMaker = (settings) => new SerialPort(settings),
): Link {
  const { baudRate = 115_200, hupcl = false, dtr = true, rts = true, lock = true, ...rest } = options;
  const settings = { baudRate, hupcl, dtr, rts, lock };
  const kind: WireKind = {
    make(sink) {
      if (!Number.isSafeInteger(baudRate) || baudRate < 1) {
        throw new LinkError("bad-setting", path, `there is no ${baudRate} baud: try 9600 or 115200`);
      }
      return new SerialWire(path, settings, makePort, sink);
    },
    otherReaders: () => otherReaders(path),
    explain: (cause) =>
      explainSerial(cause, { path, platform: process.platform, baudRate, access: portAccess }),
  };
  return new WireLink(path, kind, rest);
}

class SerialWire implements Wire {
  readonly #port: Port;
  readonly #settings: PortSettings;
  readonly #sink: WireSink;
  #opening = false;
  #writing = false;
  #closing = false;
  /** Who waits for the drain under way: each call of the system's drain can hold one of node's few worker threads. */
  #drains: (() => void)[] = [];
  #afterOpening: () => void = () => {};

  constructor(path: string, settings: PortSettings, makePort: PortMaker, sink: WireSink) {
    const { baudRate, hupcl, lock } = settings;
    const flow = { rtscts: false, xon: false, xoff: false, xany: false };
    this.#settings = settings;
    this.#sink = sink;
    this.#port = makePort({ path, baudRate, hupcl, lock, ...flow, autoOpen: false });
    // A write that is under way when the port goes ends as an "error" event, which without a listener would end the
    // process. So does a port that fails to close after an unplug, and then no "close" event follows.
    this.#port.on("error", (error: Error) => sink.lost(lossReason(error)));
    this.#port.on("close", (error: Error | null) => {
      if (!this.#closing) sink.lost(lossReason(error));
    });
  }

  async open(): Promise<void> {
    this.#opening = true;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#port.open((error) => (error ? reject(error) : resolve()));
      });
      noticeHangUp(this.#port.port);
      if (!this.#closing) await this.#setModemLines();
    } finally {
      this.#opening = false;
      this.#afterOpening();
    }
    // From here on, not before, the port is read: what comes earlier waits in the system's buffer.
    if (!this.#closing) this.#port.on("data", (chunk: Buffer) => this.#sink.bytes(chunk));
  }

  write(bytes: Buffer, done: (error?: Error | null) => void): void {
    this.#writing = true;
    this.#port.write(bytes, undefined, (error) => {
      this.#writing = false;
      done(error ? new Error(lossReason(error)) : null);
    });
  }

  drain(done: () => void): void {
    this.#drains.push(done);
    if (this.#drains.length > 1) return;
    this.#port.drain(() => {
      const waiting = this.#drains;
      this.#drains = [];
      for (const run of waiting) run();
    });
  }

  close(done: () => void): void {
    this.#closing = true;
    if (this.#opening) {
      this.#afterOpening = () => this.close(done);
      return;
    }
    this.#port.removeAllListeners("data");
    if (!this.#port.isOpen) {
      done();
      return;
    }
    const close = () => this.#port.close(() => done());
    // Closing waits up to 30 s for what the other side does not take, so that goes first. Nothing else does: on a
    // pseudo terminal this would also take back what was written well before.
    if (this.#writing) this.#port.flush(close);
    else close();
  }

  #setModemLines(): Promise<void> {
    const { dtr, rts } = this.#settings;
    return new Promise((resolve) => this.#port.set({ dtr, rts, brk: false }, () => resolve()));
  }
}

/** What to call a port's end. Everything that an unplug does to a port is one thing to a person. */
function lossReason(error: (Error & { canceled?: boolean; disconnected?: boolean }) | null): string {
  if (!error) return "closed by the system";
  return error.canceled || error.disconnected ? "unplugged" : `failed: ${causeText(error)}`;
}
