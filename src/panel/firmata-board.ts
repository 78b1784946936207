/** One connection to a Firmata board, with the panel's lights, buttons and relays on it as Johnny-Five has them. */
import type { Firmata } from "firmata-io";
import type { Led, Relay } from "johnny-five";
import { UsageError } from "../errors.ts";
import { linkTo } from "../link/open.ts";
import { hostTimers, within } from "../link/time.ts";
import { FirmataTransport } from "./firmata-transport.ts";
import type { Light } from "./ring-lights.ts";

/** StandardFirmata's. */
const BAUD = 57_600;
/** An Uno resets when its port opens, and its boot loader waits. */
const REPORT_MS = 3000;
export const READY_MS = 12_000;
const BLINK_MS = 120;
/** Of 255. */
const DIM = 12;

/** Pins of one station's parts. */
export interface PanelPins {
  led?: number | undefined;
  button?: number | undefined;
  relay?: number | undefined;
}

export interface FirmataEvents {
  /** The port is gone. */
  lost(reason: string): void;
  button(id: number, down: boolean): void;
}

export interface FirmataBoard {
  /** Ids of stations whose LED cannot be dimmed. */
  undimmed: number[];
  light(id: number, light: Light): void;
  /** @param open true: the pin is high and the relay takes the station out */
  relay(id: number, open: boolean): void;
  /** Puts out the lights, closes the relays and frees the port. */
  close(): Promise<void>;
}

interface Parts {
  led?: Led;
  dims: boolean;
  relay?: Relay;
}

/**
 * Johnny-Five and firmata-io are loaded now.
 * @param options.readyMs how long the board may take to tell its pins
 * @param options.signal ends the waiting
 * @throws UsageError, one line: the port does not open, no Firmata answers, or it has no such pin
 */
export async function openFirmata(
  port: string,
  pins: ReadonlyMap<number, PanelPins>,
  events: FirmataEvents,
  { readyMs = READY_MS, signal }: { readyMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<FirmataBoard> {
  const { default: five } = await import("johnny-five");
  const { default: firmata } = await import("firmata-io");
  const link = linkTo(port, { baudRate: BAUD });
  const transport = new FirmataTransport(link, events.lost);
  // Both must be there before the port opens: they hear of it only then.
  const io = new firmata.Firmata(transport, { reportVersionTimeout: REPORT_MS });
  const board = new five.Board({
    io,
    repl: false,
    debug: false,
    sigint: false,
    timeout: 2 * READY_MS,
  } as never);
  board.on("error", () => {});
  const parts = new Map<number, Parts>();

  const close = async () => {
    const { timer } = board as unknown as { timer: NodeJS.Timeout | null };
    if (timer) clearTimeout(timer);
    clearTimeout((io as unknown as { reportVersionTimeoutId: NodeJS.Timeout }).reportVersionTimeoutId);
    for (const { led, relay } of parts.values()) {
      led?.stop().off();
      relay?.close();
    }
    await link.flush(500);
    await link.close();
    // Johnny-Five keeps every board that ever was.
    const { cache } = five.Board as unknown as { cache: unknown[] };
    cache.splice(cache.indexOf(board), 1);
  };

  try {
    const ready = new Promise<boolean>((resolve) => {
      board.on("ready", () => resolve(true));
      transport.once("close", () => resolve(false));
      signal?.addEventListener("abort", () => resolve(false));
    });
    await transport.open();
    if ((await within(hostTimers, readyMs, ready)) !== true) {
      if (signal?.aborted) throw new UsageError(`${port}: stopped before the panel answered`);
      const found = io.firmware.name ? "its Firmata does not tell its pins" : "no Firmata answers";
      throw new UsageError(
        `${port}: ${found}: flash StandardFirmata (Arduino IDE: File, Examples, Firmata), which speaks ${BAUD} baud`,
      );
    }
    checkPins(port, io, pins);
    for (const [id, { led, button, relay }] of pins) {
      const made: Parts = { dims: false };
      if (led !== undefined) {
        made.led = new five.Led({ board, pin: led });
        made.dims = io.pins[led]?.supportedModes.includes(io.MODES.PWM as number) === true;
      }
      // At rest the contact is closed: without power, and without this program, every station is in the ring.
      if (relay !== undefined) {
        made.relay = new five.Relay({ board, pin: relay, type: "NC" });
        made.relay.close();
      }
      if (button !== undefined) watchButton(io, button, (down) => events.button(id, down));
      parts.set(id, made);
    }
  } catch (error) {
    await close();
    throw error;
  }

  return {
    undimmed: [...parts].flatMap(([id, { led, dims }]) => (led && !dims ? [id] : [])),
    light(id, light) {
      const { led, dims } = parts.get(id) ?? {};
      if (!led) return;
      led.stop();
      if (light === "blink") led.on().blink(BLINK_MS);
      else if (light === "on") led.on();
      else if (light === "dim" && dims) led.brightness(DIM);
      else led.off();
    },
    relay(id, open) {
      const { relay } = parts.get(id) ?? {};
      if (open) relay?.open();
      else relay?.close();
    },
    close,
  };
}

/**
 * A button between a pin and ground. Not Johnny-Five's, which waits until a level has rested for 7 ms and so never
 * hears a press whose two ends arrive together.
 */
function watchButton(io: Firmata, pin: number, changed: (down: boolean) => void): void {
  io.pinMode(pin, io.MODES.INPUT as number);
  // The pull-up.
  io.digitalWrite(pin, io.HIGH);
  // Comes for each change of any pin of the same port.
  io.digitalRead(pin, fromRest(changed));
}

/**
 * Hears levels of a button's pin from its first rest on: a report of the port that left the board before the pin was an
 * input says low, and would be taken for a press.
 */
export function fromRest(changed: (down: boolean) => void): (level: number) => void {
  let before = 0;
  let rested = false;
  return (level) => {
    if (level === before) return;
    before = level;
    if (rested) changed(level === 0);
    rested = true;
  };
}

interface PinTable {
  pins: { supportedModes: number[] }[];
  MODES: Readonly<Record<string, number>>;
}

/** @throws UsageError for a pin that the board cannot use so */
function checkPins(port: string, { pins, MODES }: PinTable, wanted: ReadonlyMap<number, PanelPins>): void {
  const can = (pin: number, mode: string) =>
    pins[pin]?.supportedModes.includes(MODES[mode] as number) === true;
  for (const [id, parts] of wanted) {
    for (const [part, pin] of Object.entries(parts) as [string, number | undefined][]) {
      const mode = part === "button" ? "INPUT" : "OUTPUT";
      if (pin === undefined || can(pin, mode)) continue;
      const has = pins.flatMap((_, n) => (can(n, mode) ? [n] : []));
      throw new UsageError(
        `panel.stations.${id}.${part}: the board on ${port} has no pin ${pin} for this, only ${ranges(has)}`,
      );
    }
  }
}

/** Numbers in order, neighbours together: "2-13, 16". */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)).join(", ") || "none";
}
