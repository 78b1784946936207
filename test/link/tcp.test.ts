import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { tcpLink } from "../../src/link/tcp.ts";
import { linkContract } from "./contract.ts";
import type { Peer } from "./rig.ts";
import { until } from "./time.ts";

/** A server for one client at a time, as a port of ser2net is. */
class OneClient {
  #server: Server;
  socket: Socket | undefined;
  port = 0;

  constructor() {
    this.#server = this.#make();
  }

  async listen(): Promise<void> {
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async end(): Promise<void> {
    this.socket?.destroy();
    this.socket = undefined;
    if (this.#server.listening) {
      this.#server.close();
      await once(this.#server, "close");
    }
    this.#server = this.#make();
  }

  #make(): Server {
    return createServer({ pauseOnConnect: true }, (socket) => {
      socket.on("error", () => {});
      this.socket?.destroy();
      this.socket = socket;
    });
  }
}

linkContract("tcp", async () => {
  const server = new OneClient();
  await server.listen();
  return {
    link: (options) => tcpLink("127.0.0.1", server.port, options),
    async peer(): Promise<Peer> {
      await until(() => server.socket !== undefined && !server.socket.destroyed, "the client");
      const socket = server.socket as Socket;
      let received = "";
      return {
        send: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
        received: () => received,
        read() {
          socket.on("data", (bytes: Buffer) => {
            received += bytes.toString("latin1");
          });
          socket.resume();
        },
      };
    },
    unplug: () => server.end(),
    plug: () => server.listen(),
    end: () => server.end(),
  };
});

describe("a tcp link", () => {
  test("to a port where nobody listens is refused, naming the host and the port", async () => {
    const server = new OneClient();
    await server.listen();
    await server.end();
    await expect(tcpLink("127.0.0.1", server.port).open()).rejects.toMatchObject({
      code: "refused",
      message: `tcp://127.0.0.1:${server.port}: connection refused: is ser2net running on 127.0.0.1, with port ${server.port}?`,
    });
  });

  test("says what the server did when it goes away", async () => {
    const server = new OneClient();
    await server.listen();
    const lost: string[] = [];
    const link = tcpLink("127.0.0.1", server.port, { listener: { onLost: (reason) => lost.push(reason) } });
    await link.open();
    await until(() => server.socket !== undefined, "the client");
    server.socket?.end();
    await until(() => lost.length > 0, "the loss");
    expect(lost).toEqual(["closed by the server"]);
    await link.open();
    await until(() => server.socket?.destroyed === false, "the client");
    server.socket?.resetAndDestroy();
    await until(() => lost.length > 1, "the second loss");
    expect(lost[1]).toBe("connection failed: read ECONNRESET");
    await link.close();
    await server.end();
  });

  test("is lost at once when the server says goodbye, also while writes are pending", async () => {
    const server = new OneClient();
    await server.listen();
    const lost: string[] = [];
    const listener = { onLost: (reason: string) => lost.push(reason) };
    const link = tcpLink("127.0.0.1", server.port, { queueBytes: 20_000_000, listener });
    await link.open();
    await until(() => server.socket !== undefined, "the client");
    link.write("x".repeat(20_000_000));
    server.socket?.end();
    await until(() => lost.length > 0, "the loss");
    expect(lost).toEqual(["closed by the server"]);
    expect(link.counters.unsent).toBeGreaterThan(0);
    await server.end();
  });

  test("has an address with brackets where the host is an IPv6 address", () => {
    expect(tcpLink("::1", 4001).path).toBe("tcp://[::1]:4001");
  });
});
