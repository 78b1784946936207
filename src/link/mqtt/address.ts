/** Addresses of rings on MQTT brokers: `mqtt://host/ring7/3` is station 3 of the ring whose topics begin with ring7/. */
import { isId } from "../../bench-file/id.ts";
import { shownPort } from "../../bench-file/port.ts";
import { quote, UsageError } from "../../errors.ts";

/** Default ports (IANA: mqtt 1883, secure-mqtt 8883). */
const PORTS: { [scheme: string]: number } = { "mqtt:": 1883, "mqtts:": 8883, "ws:": 80, "wss:": 443 };
/** As MQTT has it, a topic is at most 65,535 bytes; nobody needs that. */
const LONGEST_RING = 200;

/** Where a ring is, without what proves who asks. */
export interface RingAddress {
  /** `mqtt://host:1883`, with a path only for WebSocket. Holds no user and no password. */
  broker: string;
  /** The topics of the ring begin with this and a slash: `class/ring7`. */
  ring: string;
  /** The address as it may be shown: `mqtt://host:1883/ring7`. */
  path: string;
  user?: string;
  password?: string;
}

/** What was typed once in an address serves all addresses of that broker, so that none has to carry it further. */
const known = new Map<string, { user: string; password: string }>();

export interface StationAddress extends RingAddress {
  id: number;
}

/**
 * Reads the address of a ring. User and password may stand in it (`mqtt://user:secret@host/ring7`) or in the environment
 * (RINGLAB_MQTT_USER, RINGLAB_MQTT_PASSWORD); neither is ever shown again.
 * For WebSocket the first part of the path is the broker's own: `ws://host:9001/mqtt/ring7`.
 * @throws UsageError for anything else, without the password in it
 */
export function ringAddress(text: string, env: NodeJS.ProcessEnv = process.env): RingAddress {
  const shown = shownPort(text);
  const bad = (why: string) => new UsageError(`${quote(shown)}: ${why}, such as mqtt://192.168.1.20/ring7`);
  if (!URL.canParse(text)) throw bad("this is no address: write mqtt://HOST/RING");
  const url = new URL(text);
  const port = PORTS[url.protocol];
  if (port === undefined) throw bad("a broker's address begins with mqtt://, mqtts://, ws:// or wss://");
  if (url.search !== "" || url.hash !== "") throw bad("an address ends with the name of the ring");
  if (url.hostname === "") throw bad("the host is missing: write mqtt://HOST/RING");
  const parts = decoded(url.pathname, bad).split("/").slice(1);
  const socketPath = url.protocol.startsWith("ws") ? `/${parts.shift() ?? ""}` : "";
  const ring = parts.join("/").replace(/\/$/, "");
  if (ring === "") throw bad("the name of the ring is missing: write mqtt://HOST/RING");
  if (/[#+\x00-\x1f\x7f-\x9f]|^\$|\/\/|^\/|[\ud800-\udfff]/.test(ring) || ring.length > LONGEST_RING)
    throw bad(`${quote(ring)} is no name of a ring: use letters, digits and single slashes`);
  const broker = `${url.protocol}//${url.hostname}:${url.port === "" ? port : url.port}${socketPath}`;
  const typed = { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  if (typed.user !== "") known.set(broker, typed);
  const user = known.get(broker)?.user || env.RINGLAB_MQTT_USER;
  const password = known.get(broker)?.password || env.RINGLAB_MQTT_PASSWORD;
  return {
    broker,
    ring,
    path: `${broker}/${ring}`,
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
  };
}

/** Reads the address of one station of a ring: its last part is the id. @throws UsageError */
export function stationAddress(text: string, env: NodeJS.ProcessEnv = process.env): StationAddress {
  const { ring, path, broker, ...rest } = ringAddress(text, env);
  const cut = ring.lastIndexOf("/");
  const last = ring.slice(cut + 1);
  const id = /^(0|[1-9]\d*)$/.test(last) ? Number(last) : -1;
  if (cut < 1 || !isId(id)) {
    throw new UsageError(
      `${quote(path)}: the address of a station ends with its id, as mqtt://192.168.1.20/ring7/3`,
    );
  }
  return { ...rest, broker, ring: ring.slice(0, cut), path: path, id };
}

/** The ring of a station. */
export function ringOf({ id, path, ...rest }: StationAddress): RingAddress {
  return { ...rest, path: path.slice(0, path.lastIndexOf("/")) };
}

function decoded(path: string, bad: (why: string) => UsageError): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw bad("the name of the ring is not understood");
  }
}
