/** A connection to a broker, for the topics of one ring and no others. */
import { readFileSync } from "node:fs";
import type { IClientOptions, MqttClient } from "mqtt";
import { causeText, LinkError } from "../errors.ts";
import type { RingAddress } from "./address.ts";

/** Seconds of silence after which broker and client ask each other whether they are there. */
const KEEP_ALIVE_S = 5;
const CONNECT_MS = 5000;
/** A lost broker is looked for so often, ms. */
const RETRY_MS = 500;

export interface ClientOptions {
  /** What the broker publishes, retained, when this client is gone without a word: nothing, on this topic. */
  will: string;
  /** Bytes on a topic of the ring; `topic` begins behind the ring's name. */
  onMessage(topic: string, payload: Buffer, retained: boolean): void;
  /** The broker is gone; it is looked for until `end`. */
  onLost(): void;
  /** The broker is there again, and the topics are subscribed. */
  onBack(): void;
}

export interface RingClient {
  readonly connected: boolean;
  /** @param topic behind the ring's name @param retain kept by the broker for who comes later; "" takes it away */
  publish(topic: string, payload: string | Buffer, retain?: boolean): void;
  /** @throws LinkError when the broker refuses @param filters topics behind the ring's name, `+` for any id */
  subscribe(...filters: string[]): Promise<void>;
  /** Says goodbye: what is retained on `clear` is taken away first. */
  end(clear?: string): Promise<void>;
}

/**
 * Connects to a broker. Certificates come from files that the environment names: RINGLAB_MQTT_CA, RINGLAB_MQTT_CERT and
 * RINGLAB_MQTT_KEY (PEM).
 * @throws LinkError in one line, never with the password in it
 */
export async function connectRing(address: RingAddress, options: ClientOptions): Promise<RingClient> {
  const { broker, ring, path } = address;
  const topics = new Set<string>();
  const client = await firstConnection(address, `${ring}/${options.will}`);
  const subscribe = async (filters: readonly string[]) => {
    const granted = await client.subscribeAsync([...filters], { qos: 1 }).catch((cause: unknown) => {
      throw new LinkError("denied", path, `the broker refuses its topics: ${causeText(cause)}`);
    });
    const refused = granted.find(({ qos }) => (qos as number) > 2);
    if (refused) {
      throw new LinkError(
        "denied",
        path,
        `the broker gives no right to ${refused.topic}: ask who runs it, or give another user`,
      );
    }
  };
  let lost = false;
  let ended = false;
  client.on("message", (topic, payload, packet) => {
    if (topic.startsWith(`${ring}/`))
      options.onMessage(topic.slice(ring.length + 1), payload, packet.retain === true);
  });
  client.on("close", () => {
    if (lost || ended) return;
    lost = true;
    options.onLost();
  });
  // Each try that fails says so; that the broker is away is known already.
  client.on("error", () => {});
  client.on("connect", () => {
    noDelay(client);
    if (!lost || ended) return;
    lost = false;
    subscribe([...topics]).then(options.onBack, () => {});
  });
  return {
    get connected() {
      return client.connected;
    },
    publish(topic, payload, retain = false) {
      // What cannot be sent now would come too late: a fresh session begins with the next connection.
      if (client.connected) client.publish(`${ring}/${topic}`, payload, { qos: 1, retain });
    },
    async subscribe(...filters) {
      const full = filters.map((filter) => `${ring}/${filter}`);
      for (const topic of full) topics.add(topic);
      if (client.connected) await subscribe(full);
      else throw new LinkError("unreachable", broker, "the broker is gone: start it again");
    },
    async end(clear) {
      ended = true;
      if (clear !== undefined && client.connected) {
        await Promise.race([
          client.publishAsync(`${ring}/${clear}`, "", { qos: 1, retain: true }).catch(() => {}),
          new Promise((resolve) => setTimeout(resolve, 500).unref()),
        ]);
      }
      await client.endAsync(true).catch(() => {});
    },
  };
}

async function firstConnection(address: RingAddress, will: string): Promise<MqttClient> {
  const { broker, path, user, password } = address;
  const options: IClientOptions = {
    clean: true,
    keepalive: KEEP_ALIVE_S,
    connectTimeout: CONNECT_MS,
    reconnectPeriod: RETRY_MS,
    resubscribe: false,
    queueQoSZero: false,
    will: { topic: will, payload: Buffer.alloc(0), qos: 1, retain: true },
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    ...certificates(path),
  };
  try {
    // Half a second to load, so only for who needs it.
    const { default: mqtt } = await import("mqtt");
    const client = await mqtt.connectAsync(broker, options, false);
    noDelay(client);
    return client;
  } catch (cause) {
    throw explainBroker(path, broker, cause);
  }
}

/** Without it each message can wait 40 ms for the acknowledgement of the one before. */
function noDelay(client: MqttClient): void {
  const stream = client.stream as { setNoDelay?: (on: boolean) => void };
  stream.setNoDelay?.(true);
}

function certificates(path: string): Pick<IClientOptions, "ca" | "cert" | "key"> {
  const read = (name: string) => {
    const file = process.env[name];
    if (!file) return undefined;
    try {
      return readFileSync(file);
    } catch (cause) {
      throw new LinkError(
        "bad-setting",
        path,
        `${name} names a file that cannot be read: ${causeText(cause)}`,
      );
    }
  };
  const ca = read("RINGLAB_MQTT_CA");
  const cert = read("RINGLAB_MQTT_CERT");
  const key = read("RINGLAB_MQTT_KEY");
  return { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) };
}

const HINTS: { [code: string]: [LinkError["code"], string] } = {
  ECONNREFUSED: ["refused", "no broker answers there: start one (ringlab broker), or check the port"],
  ENOTFOUND: ["unreachable", "no computer of that name: check the name, or give its number"],
  EAI_AGAIN: ["unreachable", "the name is not found now: check the network, or give its number"],
  EHOSTUNREACH: ["unreachable", "no way there: are both computers on one network?"],
  ENETUNREACH: ["unreachable", "no way there: are both computers on one network?"],
  ETIMEDOUT: ["timeout", "no answer: is the address right, and does a firewall let it through?"],
};

/** What went wrong with a broker, in one line. */
function explainBroker(path: string, broker: string, cause: unknown): LinkError {
  if (cause instanceof LinkError) return cause;
  const { code, errors } = cause as { code?: string | number; errors?: { code?: string }[] };
  const system = typeof code === "string" ? code : errors?.[0]?.code;
  const hint = HINTS[system ?? ""];
  if (hint) return new LinkError(hint[0], path, hint[1], cause);
  // CONNACK return codes: MQTT 3.1.1, table 3.1.
  if (code === 4 || code === 5 || code === 134 || code === 135) {
    return new LinkError(
      "denied",
      path,
      "the broker refuses user or password: write mqtt://USER:PASSWORD@HOST/RING, or set RINGLAB_MQTT_USER and RINGLAB_MQTT_PASSWORD",
    );
  }
  const text = causeText(cause);
  if (/certificate|self.signed|CERT|SSL|TLS|altname/i.test(`${system} ${text}`)) {
    return new LinkError(
      "denied",
      path,
      `its certificate is not accepted (${text}): name the authority's file in RINGLAB_MQTT_CA`,
      cause,
    );
  }
  if (/timeout|connack|closed/i.test(text)) {
    return new LinkError(
      "timeout",
      path,
      `what answers at ${broker} is no MQTT broker, or is busy: check the port`,
    );
  }
  return new LinkError("failed", path, text, cause);
}
