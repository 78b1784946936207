/** Brokers for tests: a real Mosquitto, and the embedded one. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBroker } from "../../../src/link/mqtt/broker.ts";
import { findTool } from "../../tools.ts";

export interface TestBroker {
  port: number;
  stop(): Promise<void>;
  /** Starts it again at the same port, with nothing kept. */
  restart(): Promise<void>;
}

export const mosquittoMissing = mosquittoPath() === undefined;

/** Debian keeps it out of a user's PATH. */
function mosquittoPath(): string | undefined {
  const path = process.env.PATH;
  process.env.PATH = `${path}:/usr/sbin`;
  try {
    return findTool("mosquitto");
  } finally {
    process.env.PATH = path;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** @param settings more lines of its configuration */
export async function mosquitto(settings: readonly string[] = ["allow_anonymous true"]): Promise<TestBroker> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), "ringlab-mosquitto-"));
  const file = join(dir, "mosquitto.conf");
  writeFileSync(file, [`listener ${port} 127.0.0.1`, "set_tcp_nodelay true", ...settings, ""].join("\n"));
  let child: ChildProcess;
  const begin = async () => {
    child = spawn(mosquittoPath() ?? "mosquitto", ["-c", file], { stdio: "ignore" });
    await answers(port);
  };
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  await begin();
  return {
    port,
    async stop() {
      await end();
      rmSync(dir, { recursive: true, force: true });
    },
    async restart() {
      await end();
      await begin();
    },
  };
}

export async function embedded(password?: string): Promise<TestBroker> {
  const start = (port: number) =>
    startBroker({ host: "127.0.0.1", port, ...(password === undefined ? {} : { password }) });
  let broker = await start(0);
  const { port } = broker;
  return {
    port,
    stop: () => broker.stop(),
    async restart() {
      await broker.stop();
      broker = await start(port);
    },
  };
}

/** Waits until something takes connections at a port. */
async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = createConnection(port, "127.0.0.1");
    const open = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing answers at port ${port}`);
}
