import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { quote, UsageError } from "../errors.ts";
import { nearest } from "./nearest.ts";

/**
 * What stands behind a port: an emulated board, a simulated station, a serial device, a serial line over TCP, or a station
 * that somebody shares on an MQTT broker.
 */
export type PortKind = "emulated" | "simulated" | "serial" | "tcp" | "mqtt";

const BROKER = /^(?:mqtts?|wss?):\/\//i;

const WINDOWS_PORT = /^(?:\\\\[.?]\\)?com([1-9][0-9]*)$/i;

export function portKind(port: string): PortKind {
  if (port === "emulated" || port === "simulated") return port;
  if (BROKER.test(port)) return "mqtt";
  return /^tcp:\/\//i.test(port) ? "tcp" : "serial";
}

/**
 * A port as it is opened: a relative path is taken from `folder`, everything else stays.
 *
 * @throws UsageError when the text is neither a path, a Windows port, a tcp:// address nor one of the two words
 */
export function resolvePort(port: string, folder: string): string {
  const kind = portKind(port);
  if (kind === "emulated" || kind === "simulated" || WINDOWS_PORT.test(port)) return port;
  if (kind === "mqtt") {
    if (URL.canParse(port)) return port;
    throw new UsageError("a broker's address is not understood: write mqtt://HOST/RING/ID");
  }
  if (kind === "tcp") {
    if (tcpAddress(port) !== undefined) return port;
    throw new UsageError(`${quote(port)} is no address: write tcp://host:port with a port from 1 to 65535`);
  }
  if (isAbsolute(port) || port.startsWith("\\\\")) return port;
  if (/[\\/]/.test(port)) return resolve(folder, port);
  const near = nearest(port, ["emulated", "simulated"]);
  const hint =
    near === undefined ? 'write a whole path ("/dev/ttyACM0"), "COM3", or' : `did you mean "${near}"? Else`;
  throw new UsageError(`${quote(port)} is no port: ${hint} "./${port}" for a file beside the bench`);
}

/** A port as it may be printed: the address of a broker without user and password. */
export function shownPort(port: string): string {
  return port.replace(/\/\/[^/@]*@/, "//");
}

/**
 * A key that is equal for two names of one port: a symbolic link and what it points to, `/dev/tty.x` and `/dev/cu.x`
 * (the two doors of one line on macOS), `COM3` and `\\.\com3`.
 */
export function portKey(port: string): string {
  if (portKind(port) === "tcp") return tcpAddress(port) ?? port;
  // Two users of one station are one station.
  if (portKind(port) === "mqtt") return shownPort(port);
  const windows = WINDOWS_PORT.exec(port);
  if (windows !== null) return `COM${windows[1]}`;
  return realPath(port).replace(/^\/dev\/tty\./, "/dev/cu.");
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A port that is not there yet: its name is all there is to compare.
    return resolve(path);
  }
}

/** `tcp://host:port` in its normal form; undefined when it is not that. */
function tcpAddress(text: string): string | undefined {
  // "tcp:" is no scheme that URL knows the rules of, so that it would leave the host's case alone.
  const url = URL.canParse(text) ? new URL(text.replace(/^tcp:/i, "http:")) : undefined;
  if (url === undefined || url.hostname === "") return undefined;
  if (!/^tcp:\/\/(?:\[[^\]]+\]|[^/:@?#]+):[0-9]+\/?$/i.test(text)) return undefined;
  const port = url.port === "" ? 80 : Number(url.port);
  return port === 0 ? undefined : `tcp://${url.hostname}:${port}`;
}
