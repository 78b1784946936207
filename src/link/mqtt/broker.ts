/** A broker for a room that has none. */

import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { causeText, LinkError } from "../errors.ts";

export interface BrokerOptions {
  /** Address to listen on. */
  host: string;
  /** 0: any that is free. */
  port: number;
  /** User `ring` and this; without one everybody may come. */
  password?: string;
}

export interface Broker {
  port: number;
  /** Programs connected now. */
  readonly clients: number;
  stop(): Promise<void>;
}

export const BROKER_USER = "ring";
/** Nothing of ours is larger; a larger packet ends its connection. */
const LONGEST_PACKET = 65_536;
const MOST_CLIENTS = 600;

/** @throws LinkError when it cannot listen there */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { host, port, password } = options;
  const { Aedes } = await import("aedes");
  const aedes = await Aedes.createBroker({
    connectTimeout: 10_000,
    authenticate: (_client, user, given, done) => {
      if (password === undefined) done(null, true);
      else done(null, user === BROKER_USER && same(given?.toString("utf8") ?? "", password));
    },
  });
  const sockets = new Set<Socket>();
  // Without noDelay each message of QoS 1 can wait 40 ms for the acknowledgement of the one before.
  const server = createServer({ noDelay: true }, (socket) => {
    if (sockets.size >= MOST_CLIENTS) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    aedes.handle(socket);
  });
  aedes.on("publish", (packet, client) => {
    if (client && packet.payload.length > LONGEST_PACKET) client.close();
  });
  server.listen(port, host);
  try {
    await Promise.race([
      once(server, "listening"),
      once(server, "error").then(([cause]) => {
        throw cause;
      }),
    ]);
  } catch (cause) {
    aedes.close();
    const { code } = cause as { code?: string };
    const words =
      code === "EADDRINUSE"
        ? `port ${port} is in use: is a broker there already? Else take another with --port`
        : causeText(cause);
    throw new LinkError("busy", `${host}:${port}`, words, cause);
  }
  return {
    port: (server.address() as AddressInfo).port,
    get clients() {
      return sockets.size;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
      await closed;
    },
  };
}

function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
