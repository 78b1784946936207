import { escapeControls, UsageError } from "../errors.ts";

/** Why a link did not open. `gone`: it opened and was lost at once; `closed`: its owner closed it meanwhile. */
export type LinkErrorCode =
  | "bad-path"
  | "bad-setting"
  | "busy"
  | "closed"
  | "denied"
  | "failed"
  | "gone"
  | "missing"
  | "not-a-tty"
  | "refused"
  | "timeout"
  | "unreachable";

/** A link that did not open, in one line for a person: where, what went wrong, what to try. */
export class LinkError extends UsageError {
  readonly code: LinkErrorCode;
  readonly path: string;

  /** @param words what went wrong and what to try, without the path */
  constructor(code: LinkErrorCode, path: string, words: string, cause?: unknown) {
    super(`${clip(path)}: ${words}`, { cause });
    this.code = code;
    this.path = path;
  }

  static late(path: string, limitMs: number): LinkError {
    const words = path.startsWith("tcp://")
      ? `no answer within ${limitMs} ms: is the address right and the computer on the network?`
      : `did not open within ${limitMs} ms: ${carrierHint(path) ?? "unplug the board, plug it in and try again"}`;
    return new LinkError("timeout", path, words);
  }
}

/** What a /dev/tty.* path on macOS deserves to be told, undefined for any other path. */
export function carrierHint(path: string): string | undefined {
  if (!path.startsWith("/dev/tty.")) return undefined;
  return `it waits for a carrier signal, use ${path.replace("/dev/tty.", "/dev/cu.")}`;
}

/** What somebody threw, as at most 200 characters on one line. */
export function causeText(cause: unknown): string {
  return escapeControls(clip(cause instanceof Error ? cause.message : String(cause)));
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Who may use a port, read from the system. */
export interface PortAccess {
  /** Name of the owning group, or its number where it has no name. */
  group: string;
  /** Permission bits, such as 0o660. */
  mode: number;
  /** The user is listed in that group, although this process may not have it yet. */
  listed: boolean;
}

export interface SerialErrorContext {
  path: string;
  platform: NodeJS.Platform;
  baudRate: number;
  /** Undefined where the system does not say. */
  access(path: string): PortAccess | undefined;
}

/** Turns what serialport says when a port does not open into one clear line. Linux, macOS and Windows wordings. */
export function explainSerial(cause: unknown, context: SerialErrorContext): LinkError {
  const { path, platform, baudRate } = context;
  const raw = cause instanceof Error ? cause.message : String(cause);
  const error = (code: LinkErrorCode, words: string) => new LinkError(code, path, words, cause);
  if (/no such file|file not found/i.test(raw)) {
    return error("missing", `no such port. ${missingHint(path, platform)}`);
  }
  if (platform === "win32" && /access denied/i.test(raw)) {
    return error("busy", "in use by another program: close serial monitors and IDEs that have it open");
  }
  if (/permission denied|access denied|operation not permitted/i.test(raw)) {
    return error("denied", `permission denied. ${accessHint(path, context.access(path))}`);
  }
  if (/cannot lock port|resource busy|temporarily unavailable/i.test(raw)) {
    const find = platform === "darwin" ? `lsof ${path}` : `fuser -v ${path}`;
    return error("busy", `in use by another program: find it with "${find}" and close it`);
  }
  if (/inappropriate ioctl|is a directory|not a typewriter/i.test(raw)) {
    return error("not-a-tty", `not a serial port: give the path of a board, such as ${example(platform)}`);
  }
  if (/no such device|input\/output error|bad file descriptor|invalid handle/i.test(raw)) {
    return error(
      "missing",
      "the port is there but nothing is behind it: unplug the board and plug it in again",
    );
  }
  if (/baud ?rate|invalid argument|parameter is incorrect/i.test(raw)) {
    return error("bad-setting", `the port refuses ${baudRate} baud: try 9600 or 115200 (${causeText(raw)})`);
  }
  return error("failed", `did not open: ${causeText(raw)}`);
}

/** Turns what a socket says when it does not connect into one clear line. */
export function explainTcp(path: string, host: string, port: number, cause: unknown): LinkError {
  const raw = cause instanceof Error ? cause.message : String(cause);
  const known = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const error = (code: LinkErrorCode, words: string) => new LinkError(code, path, words, cause);
  switch (known) {
    case "ECONNREFUSED":
      return error("refused", `connection refused: is ser2net running on ${host}, with port ${port}?`);
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return error("unreachable", `no computer named ${host} is known: check the name, or give its address`);
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return error("unreachable", `no way to ${host}: is it on, and on this network?`);
    case "ETIMEDOUT":
      return error(
        "timeout",
        `no answer from ${host}: is it on, and does a firewall let port ${port} through?`,
      );
    case "ECONNRESET":
      return error("gone", "the server closed the connection at once: does another program use its port?");
    default:
      return error("failed", `did not connect: ${causeText(raw)}`);
  }
}

function missingHint(path: string, platform: NodeJS.Platform): string {
  if (platform !== "win32" && /^COM\d+$/i.test(path)) {
    return `COM names are for Windows, a port here looks like ${example(platform)}`;
  }
  return 'Is the board plugged in? "ringlab ports" lists the ports';
}

function accessHint(path: string, access: PortAccess | undefined): string {
  if (!access) return "Ask whoever owns it, or check its rights";
  const { group, mode, listed } = access;
  if ((mode & 0o060) !== 0o060) {
    const rights = (mode & 0o777).toString(8).padStart(3, "0");
    return `It belongs to group ${group}, its mode ${rights} gives the group no access: run "sudo chmod 660 ${path}"`;
  }
  if (listed)
    return `It belongs to group ${group} and you are in it, but not in this session: log out and in again`;
  return `It belongs to group ${group}: run "sudo usermod -aG ${group} $USER", then log out and in again`;
}

function example(platform: NodeJS.Platform): string {
  if (platform === "win32") return "COM3";
  return platform === "darwin" ? "/dev/cu.usbmodem101" : "/dev/ttyACM0";
}
