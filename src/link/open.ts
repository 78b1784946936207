import { portKey, portKind } from "../bench-file/port.ts";
import { carrierHint, LinkError } from "./errors.ts";
import type { Link } from "./link.ts";
import { stationAddress } from "./mqtt/address.ts";
import { mqttLink } from "./mqtt/mqtt-link.ts";
import { type SerialOptions, serialLink } from "./serial.ts";
import { tcpLink } from "./tcp.ts";

/** A path as a person writes it, understood. */
export type PortAddress =
  | { kind: "tcp"; path: string; host: string; port: number }
  | { kind: "mqtt"; path: string }
  | {
      kind: "serial";
      path: string;
      /** One line of advice about this path, where there is any. */
      hint?: string;
    };

/**
 * Reads a path: `tcp://host:port`, `mqtt://host/ring/id`, a Windows name (`COM3`, `com27`, `\\.\COM12`), or the path of a port.
 * @throws LinkError "bad-path" when it is none of them
 */
export function parsePath(text: string, platform: NodeJS.Platform = process.platform): PortAddress {
  const path = text.trim();
  const bad = (words: string) => new LinkError("bad-path", text, words);
  if (path === "") throw bad('an empty path: give a port, "ringlab ports" lists them');
  if (path.includes("\0")) throw bad("a path with a NUL character: give the path of a port");
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(path)?.[1]?.toLowerCase();
  if (scheme === "tcp") return parseTcp(path, bad);
  if (portKind(path) === "mqtt") return { kind: "mqtt", path: stationAddress(path).path };
  if (scheme !== undefined) {
    throw bad(
      `links of the kind ${scheme} are not known: give a port, tcp://host:port or mqtt://host/ring/id`,
    );
  }
  if (platform === "win32") {
    const number = /^(?:[\\/]{2}[.?][\\/])?com(\d+):?$/i.exec(path)?.[1];
    // serialport itself adds the \\.\ that Windows needs from COM10 on.
    return { kind: "serial", path: number === undefined ? path : `COM${Number(number)}` };
  }
  const hint = platform === "darwin" ? carrierHint(path) : undefined;
  return hint === undefined ? { kind: "serial", path } : { kind: "serial", path, hint };
}

/**
 * Makes the link that a path names, not yet open. Any path is tried, listed or not.
 * @throws LinkError "bad-path"
 */
export function linkTo(text: string, options: SerialOptions = {}): Link {
  const address = parsePath(text);
  if (address.kind === "serial") return serialLink(address.path, options);
  const { baudRate, hupcl, dtr, rts, lock, ...rest } = options;
  if (address.kind === "mqtt") return mqttLink(text, rest);
  return tcpLink(address.host, address.port, rest);
}

/**
 * Whether two paths name one port. A symlink or a by-id link is the port that it points to, on macOS the tty. and the cu.
 * path of a port are one, and so are `COM3`, `com3` and `\\.\COM3`.
 */
export function samePort(a: string, b: string): boolean {
  return portKey(a) === portKey(b);
}

function parseTcp(path: string, bad: (words: string) => LinkError): PortAddress {
  const [, bracketed, plain, digits] =
    /^tcp:\/\/(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+)):(\d+)\/?$/i.exec(path) ?? [];
  const host = (bracketed ?? plain)?.toLowerCase();
  if (host === undefined) throw bad("not understood: write tcp://host:port, such as tcp://192.168.1.20:4001");
  const port = Number(digits);
  if (port < 1 || port > 65_535) throw bad(`port ${digits} does not exist: give one from 1 to 65535`);
  return { kind: "tcp", path: `tcp://${bracketed ? `[${host}]` : host}:${port}`, host, port };
}
