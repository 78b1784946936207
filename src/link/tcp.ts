import { connect, type Socket } from "node:net";
import { causeText, explainTcp } from "./errors.ts";
import type { Link, LinkOptions } from "./link.ts";
import { type Wire, type WireKind, WireLink, type WireSink } from "./wire-link.ts";

/** After this long without traffic the system asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;

/**
 * A link over a TCP connection that carries plain bytes, such as a `raw` port of ser2net. The serial settings are those
 * of the server.
 */
export function tcpLink(host: string, port: number, options: LinkOptions = {}): Link {
  const path = `tcp://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const kind: WireKind = {
    make: (sink) => new TcpWire(host, port, sink),
    explain: (cause) => explainTcp(path, host, port, cause),
  };
  return new WireLink(path, kind, options);
}

class TcpWire implements Wire {
  readonly #host: string;
  readonly #port: number;
  readonly #sink: WireSink;
  #socket: Socket | undefined;

  constructor(host: string, port: number, sink: WireSink) {
    this.#host = host;
    this.#port = port;
    this.#sink = sink;
  }

  open(): Promise<void> {
    // Without noDelay each line can wait 40 ms for the acknowledgement of the one before.
    const options = { host: this.#host, port: this.#port, noDelay: true, keepAlive: true };
    const socket = connect({ ...options, keepAliveInitialDelay: KEEP_ALIVE_MS });
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      socket.on("error", (error) => {
        reject(error);
        this.#sink.lost(`connection failed: ${causeText(error)}`);
      });
      socket.on("end", () => this.#sink.lost("closed by the server"));
      socket.on("close", () => {
        reject(new Error("closed"));
        this.#sink.lost("closed by the server");
      });
      socket.once("connect", () => {
        socket.on("data", (chunk: Buffer) => this.#sink.bytes(chunk));
        resolve();
      });
    });
  }

  write(bytes: Buffer, done: (error?: Error | null) => void): void {
    this.#socket?.write(bytes, done);
  }

  drain(done: () => void): void {
    // A write is done when the system has it, and more a socket does not tell.
    done();
  }

  close(done: () => void): void {
    const socket = this.#socket;
    if (!socket || socket.closed) {
      done();
      return;
    }
    socket.once("close", () => done());
    socket.destroy();
  }
}
