/** Captures of logic analysers, read and decoded by sigrok-cli. */
import { execFile, spawn } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { atExit } from "../../at-exit.ts";
import { quote, UsageError } from "../../errors.ts";
import { fileError } from "../file/file-error.ts";
import { FrameDecoder } from "./frame-decoder.ts";

export interface SigrokCapture {
  path: string;
  /** What tells sigrok-cli the format, where it does not find out itself. */
  input: readonly string[];
  channels: readonly string[];
  /** Samples a second; undefined where the capture does not say. */
  samplerate: number | undefined;
}

/** Bytes at the start of a file that tell a sigrok session (a ZIP file) and a VCD from bytes of a line. */
const VCD = /^\s*\$(comment|date|version|timescale|scope|var|upscope)\s/;

/** @returns which options sigrok-cli needs for this file; undefined for plain bytes */
export function sigrokInput(path: string): readonly string[] | undefined {
  const head = Buffer.alloc(64);
  try {
    const fd = openSync(path, "r");
    try {
      readSync(fd, head, 0, head.length, 0);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw fileError(path, "read", cause);
  }
  const text = head.toString("latin1");
  if (text.startsWith("PK\x03\x04")) return [];
  return VCD.test(text) ? ["-I", "vcd"] : undefined;
}

/** @throws UsageError where it cannot be read; the reason of the signal when that came first */
export async function openCapture(
  path: string,
  input: readonly string[],
  signal?: AbortSignal,
): Promise<SigrokCapture> {
  const { stdout, stderr } = await promisify(execFile)("sigrok-cli", [...input, "-i", path, "--show"], {
    maxBuffer: 16 * 1024 * 1024,
    killSignal: "SIGKILL",
    ...(signal && { signal }),
  }).catch((error) => {
    signal?.throwIfAborted();
    throw sigrokError(path, error);
  });
  const channels = [...stdout.matchAll(/^- (.+): logic$/gm)].map(([, name]) => name as string);
  if (channels.length === 0) {
    const why = stderr.trim().split("\n").at(-1);
    throw new UsageError(`${quote(path)}: sigrok-cli finds no logic channel in it${why ? ` (${why})` : ""}`);
  }
  const rate = Number(/^Samplerate: (\d+)/m.exec(stdout)?.[1]);
  return { path, input, channels, samplerate: rate > 0 ? rate : undefined };
}

/**
 * The frames on one channel, 8 data bits, no parity, one stop bit. sigrok turns idle time into samples: of a capture that
 * goes on for days it can take hours.
 * @throws UsageError where it cannot be read; the reason of the signal when that came first
 */
export async function decodeChannel(
  capture: SigrokCapture,
  channel: string,
  baud: number,
  signal?: AbortSignal,
): Promise<FrameDecoder> {
  const { path, input, samplerate } = capture;
  const decoder = new FrameDecoder();
  const uart = `uart:rx=${channel}:baudrate=${baud}:format=hex`;
  const options = [...input, "-i", path, "-P", uart, "-A", "uart=rx-data", "--protocol-decoder-samplenum"];
  const tool = spawn("sigrok-cli", options, { stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => void tool.kill("SIGKILL");
  const paid = atExit(kill);
  signal?.addEventListener("abort", kill);
  let said = "";
  tool.stderr.on("data", (bytes) => {
    said = (said + bytes).slice(-2000);
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    tool.on("error", (error) => reject(sigrokError(path, error)));
    tool.on("close", resolve);
  });
  const bit = 1e6 / baud;
  for await (const line of createInterface({ input: tool.stdout })) {
    const [, sample, byte] = /^(\d+)-\d+ uart-1: ([0-9A-F]{2})$/.exec(line) ?? [];
    if (sample === undefined || byte === undefined) continue;
    // The sample is that of the first data bit, one bit behind the start.
    const at = samplerate === undefined ? undefined : (Number(sample) / samplerate) * 1e6 - bit;
    decoder.byte(Number.parseInt(byte, 16), at);
  }
  const code = await closed.finally(() => {
    paid();
    signal?.removeEventListener("abort", kill);
  });
  signal?.throwIfAborted();
  if (code !== 0) throw sigrokError(path, new Error(said.trim().split("\n").at(-1) ?? `exit code ${code}`));
  return decoder;
}

function sigrokError(path: string, error: unknown): UsageError {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") {
    return new UsageError(
      'sigrok-cli is not installed: install it ("apt install sigrok-cli"), or give the bytes that it decoded',
    );
  }
  const why = error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error);
  return new UsageError(`${quote(path)}: sigrok-cli cannot read it (${why})`);
}
