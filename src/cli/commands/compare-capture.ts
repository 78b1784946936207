/** `ringlab compare-capture`: what a logic analyser saw on the wires against what the log has. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { parseId } from "../../bench-file/id.ts";
import { suggest } from "../../bench-file/nearest.ts";
import { escapeControls, quote, UsageError } from "../../errors.ts";
import {
  compareLine,
  findStation,
  type LineComparison,
  type LoggedFrame,
  loggedFrames,
} from "../../log/capture/compare.ts";
import { type CapturedFrame, FrameDecoder } from "../../log/capture/frame-decoder.ts";
import { decodeChannel, openCapture, sigrokInput } from "../../log/capture/sigrok.ts";
import { fileError } from "../../log/file/file-error.ts";
import { FileSource } from "../../log/file/source.ts";
import { formatTime } from "../../log/format.ts";
import { INTERRUPTED, interruptible } from "../ending.ts";
import { repeated, wholeNumber } from "../options.ts";
import { complain, print, printJson } from "../terminal.ts";

interface CompareOptions {
  channel?: string[];
  station?: string;
  baud?: number;
  json?: boolean;
}

/** A line that was captured; its name is that of the channel, undefined for plain bytes. */
interface CapturedLine {
  channel?: string;
  station?: number;
  frames: CapturedFrame[];
}

interface Comparison extends LineComparison {
  channel?: string;
}

/** Names of lanes in our own VCD files. */
const OWN_LANE = /^S(\d+)_tx$/;

/** So many frames of a kind are listed; JSON has them all. */
const LISTED = 10;

const EXAMPLES = `
Examples:
  ringlab compare-capture ring.ndjson capture.sr
  ringlab compare-capture ring.ndjson capture.sr --channel D0=1 --channel D1=2
  ringlab compare-capture ring.ndjson bytes.bin --station 3

CAPTURE is a file of sigrok (PulseView, sigrok-cli) or a VCD, decoded by sigrok-cli as
8N1, or a file with the bytes of one line. A line is what one station transmits.
Without --channel each channel is taken for the station whose frames are on it.
Frames of the log before the first and behind the last equal one count as outside:
nothing says whether the analyser was running then.`;

export function register(program: Command): void {
  program
    .command("compare-capture")
    .description("compare a logic analyser's capture of the wires with a run's file")
    .argument("<run>", "a file that run --log wrote")
    .argument("<capture>", "a capture, or the bytes of a line")
    .option("--channel <name=station>", "whose line a channel is on, e.g. D0=3; repeatable", repeated)
    .option("--station <id>", "whose line the bytes are from")
    .option("--baud <n>", "bits per second (default: the run's)", wholeNumber("--baud", 300, 10_000_000))
    .option("--json", "one JSON object on stdout")
    .addHelpText("after", EXAMPLES)
    .action(compareCapture);
}

async function compareCapture(run: string, path: string, options: CompareOptions): Promise<void> {
  const source = new FileSource(run);
  const logged = loggedFrames(source);
  const baud = options.baud ?? source.header.baud;
  const ending = interruptible();
  const captured = await readCapture(path, baud, options, ending.signal).catch((error: unknown) => {
    if (error !== ending.signal.reason) throw error;
  });
  if (!captured) {
    complain("interrupted: nothing is compared");
    process.exitCode = INTERRUPTED;
    return;
  }
  ending.release();
  const compared = captured
    .map((line) => compare(line, logged))
    .filter((c): c is Comparison => c !== undefined);
  if (compared.length === 0) {
    throw new UsageError(
      `${quote(path)}: no frame of this run is in it; is it the right capture, and ${baud} the right baud rate?`,
    );
  }
  const equal = compared.every((c) => c.equal > 0 && c.missing.length === 0 && c.extra.length === 0);
  if (options.json) {
    printJson({ baud, equal, lines: compared, warnings: source.warnings });
  } else {
    print(`${compared.flatMap(words).join("\n")}\n`);
    source.warnings.forEach(complain);
  }
  if (!equal) process.exitCode = 1;
}

async function readCapture(
  path: string,
  baud: number,
  options: CompareOptions,
  signal: AbortSignal,
): Promise<CapturedLine[]> {
  const input = sigrokInput(path);
  if (input === undefined) {
    if (options.channel)
      throw new UsageError(`${quote(path)} holds plain bytes: say --station instead of --channel`);
    return [plainBytes(path, options.station)];
  }
  if (options.station !== undefined) {
    throw new UsageError(
      `${quote(path)} has channels: say whose line one is on with --channel NAME=${options.station}`,
    );
  }
  const capture = await openCapture(path, input, signal);
  const chosen = options.channel ? options.channel.map(channelOption) : ownLanes(capture.channels);
  const lines: CapturedLine[] = [];
  for (const { channel, station } of chosen) {
    if (!capture.channels.includes(channel)) {
      throw new UsageError(
        `--channel: no ${quote(channel)} in the capture; ${suggest(channel, capture.channels, "channels")}`,
      );
    }
    const { frames } = await decodeChannel(capture, channel, baud, signal);
    lines.push(station === undefined ? { channel, frames } : { channel, station, frames });
  }
  return lines;
}

function channelOption(text: string): { channel: string; station?: number } {
  const [, channel, id] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  if (channel === undefined || id === undefined) {
    throw new UsageError(`--channel must be NAME=STATION, such as D0=3, not ${quote(text)}`);
  }
  return { channel, station: parseId(id, "--channel") };
}

/** Of a VCD of ours only the lanes with frames, with their stations; of others every channel. */
function ownLanes(channels: readonly string[]): { channel: string; station?: number }[] {
  const own = channels.flatMap((channel) => {
    const id = OWN_LANE.exec(channel)?.[1];
    return id === undefined ? [] : [{ channel, station: Number(id) }];
  });
  return own.length ? own : channels.map((channel) => ({ channel }));
}

function plainBytes(path: string, station: string | undefined): CapturedLine {
  const decoder = new FrameDecoder();
  try {
    for (const byte of readFileSync(path)) decoder.byte(byte);
  } catch (cause) {
    throw fileError(path, "read", cause);
  }
  const { frames } = decoder;
  return station === undefined ? { frames } : { station: parseId(station, "--station"), frames };
}

/** @returns undefined for a channel that carries no frame of this run and was not asked for */
function compare(line: CapturedLine, logged: ReadonlyMap<number, LoggedFrame[]>): Comparison | undefined {
  const station = line.station ?? findStation(logged, line.frames);
  if (station === undefined) return undefined;
  const frames = logged.get(station);
  if (!frames) throw new UsageError(`no station ${station} is in the run`);
  const { channel } = line;
  return { ...(channel !== undefined && { channel }), ...compareLine(station, frames, line.frames) };
}

function words(line: Comparison): string[] {
  const { channel, station, equal, missing, extra, outside, offset, apart } = line;
  const name = channel === undefined ? "" : ` (channel ${escapeControls(channel)})`;
  const lines = [
    `station ${station}${name}: ${equal} equal, ${missing.length} missing, ${extra.length} extra, ${outside} outside`,
  ];
  if (offset !== undefined && apart) {
    const spread = `${apart.p50.toFixed(1)} µs p50, ${apart.max.toFixed(1)} µs max`;
    lines.push(
      `  the capture starts at ${formatTime(Math.round(offset))} s of the run; times apart ${spread}`,
    );
  }
  for (const { t, to, line: text } of missing.slice(0, LISTED)) {
    lines.push(`  missing ${formatTime(t)} s, ${station}→${to}  ${escapeControls(text.trimEnd())}`);
  }
  for (const { at, line: text, cause } of extra.slice(0, LISTED)) {
    const time = at === undefined ? "" : ` ${formatTime(Math.round(at + (offset ?? 0)))} s,`;
    lines.push(
      `  extra${time} ${text === undefined ? `no good frame: ${cause}` : escapeControls(text.trimEnd())}`,
    );
  }
  const more = Math.max(0, missing.length - LISTED) + Math.max(0, extra.length - LISTED);
  return more ? [...lines, `  and ${more} more (--json has them)`] : lines;
}
