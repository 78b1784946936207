/**
 * A bench panel: a Firmata board with a light, a button and a relay for each station. It shows what the records say and
 * switches what a person or the ring wants; a ring whose panel is unplugged goes on.
 */
import type { Bench } from "../bench-file/load-bench.ts";
import { UsageError } from "../errors.ts";
import type { BenchRing, Relay } from "../host/bench/bench-ring.ts";
import { boardAction } from "../host/ring/board-actions.ts";
import { conditionOf } from "../host/ring/board-faults.ts";
import type { RingStation } from "../host/ring/ring-station.ts";
import { hostTimers } from "../link/time.ts";
import type { RecordColumns } from "../log/columns.ts";
import type { RecordConsumer } from "../log/consumer.ts";
import { type FirmataBoard, openFirmata, type PanelPins } from "./firmata-board.ts";
import { type Gesture, Gestures } from "./gestures.ts";
import { type Light, RingLights } from "./ring-lights.ts";

/** Lights change at most so often: a token can pass faster than 57600 baud can show. */
const SHOW_MS = 15;
/** An unplugged panel is looked for so often. */
const RETRY_MS = 2000;

export interface PanelOptions {
  /** Of the Firmata board. */
  port: string;
  /** By id of the station. */
  pins: ReadonlyMap<number, PanelPins>;
  /** One line for a person. */
  say(text: string): void;
  /** Ends the opening, which can take some seconds where nobody answers. */
  signal?: AbortSignal;
}

/**
 * @param port of the command line; left out: the bench file's
 * @throws UsageError when the bench has no panel, or no port for it
 */
export function panelOf(bench: Bench, port?: string): Pick<PanelOptions, "port" | "pins"> {
  const { panel } = bench;
  if (!panel) {
    throw new UsageError(
      'the bench has no panel: add "panel": {"stations": {"1": {"led": 2, "button": 3, "relay": 4}}} to its file',
    );
  }
  const path = port ?? panel.port;
  if (path === undefined)
    throw new UsageError('no port for the panel: give --port, or "port" in the bench\'s panel');
  return {
    port: path,
    pins: new Map(Object.entries(panel.stations).map(([id, pins]) => [Number(id), pins])),
  };
}

export class BenchPanel implements RecordConsumer {
  readonly #options: PanelOptions;
  readonly #lights = new RingLights();
  readonly #shown = new Map<number, Light>();
  readonly #gestures = new Map<number, Gestures>();
  /** Ids whose relay is open. */
  readonly #open = new Set<number>();
  #board: FirmataBoard | null = null;
  #ring: BenchRing | null = null;
  #closed = false;
  #cancelShow: (() => void) | null = null;
  #cancelRetry: () => void = () => {};
  #shownAt = Number.NEGATIVE_INFINITY;

  private constructor(options: PanelOptions) {
    this.#options = options;
    for (const id of options.pins.keys())
      this.#gestures.set(id, new Gestures((gesture) => this.#act(id, gesture)));
  }

  /** @throws UsageError, one line: the port, no Firmata on it, or a pin that it does not have */
  static async open(options: PanelOptions): Promise<BenchPanel> {
    const panel = new BenchPanel(options);
    await panel.#connect();
    const undimmed = panel.#board?.undimmed ?? [];
    if (undimmed.length) {
      const ids = undimmed.join(", ");
      options.say(
        `panel: no PWM at the LED of station ${ids}: the dim light of a coordinator does not show there`,
      );
    }
    return panel;
  }

  /** What `runBench` needs of it, beside its place among the consumers. */
  readonly hooks = {
    /** A relay is closed without a panel, but only opens with one. */
    relay: ((id, open) => this.#switch(id, open)) as Relay,
    /** Buttons act on this ring from now on. */
    onRing: (ring: BenchRing) => {
      this.#ring = ring;
    },
  };

  write(columns: RecordColumns, from: number, to: number): void {
    this.#lights.write(columns, from, to);
    this.#show();
  }

  /** Puts the lights out, closes the relays and frees the port. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelShow?.();
    this.#cancelRetry();
    for (const gestures of this.#gestures.values()) gestures.stop();
    const board = this.#board;
    this.#board = null;
    await board?.close();
  }

  #switch(id: number, open: boolean): boolean {
    if (this.#options.pins.get(id)?.relay === undefined) return false;
    if (open && !this.#board) return false;
    if (open) this.#open.add(id);
    else this.#open.delete(id);
    this.#board?.relay(id, open);
    return true;
  }

  async #connect(): Promise<void> {
    const { port, pins, signal } = this.#options;
    const events = {
      lost: (reason: string) => this.#lost(reason),
      button: (id: number, down: boolean) => {
        if (down) this.#gestures.get(id)?.down();
        else this.#gestures.get(id)?.up();
      },
    };
    const board = await openFirmata(port, pins, events, { signal });
    if (this.#closed) {
      await board.close();
      return;
    }
    this.#board = board;
    this.#shown.clear();
    for (const id of this.#open) board.relay(id, true);
    this.#show();
  }

  #lost(reason: string): void {
    const board = this.#board;
    // While it connects, the connecting says what is wrong.
    if (!board) return;
    this.#board = null;
    for (const gestures of this.#gestures.values()) gestures.stop();
    void board.close();
    this.#tell(`panel: ${this.#options.port} is gone (${reason}): the ring goes on without it`);
    this.#retry();
  }

  /** For the person, and for the log of the run. */
  #tell(text: string): void {
    this.#options.say(text);
    this.#ring?.ring.remark(text);
  }

  #retry(): void {
    this.#cancelRetry = hostTimers.after(RETRY_MS, () => {
      this.#connect().then(
        () => this.#tell("panel: it is back"),
        () => {
          if (!this.#closed) this.#retry();
        },
      );
    });
  }

  #show(): void {
    if (this.#cancelShow || this.#closed) return;
    const wait = this.#shownAt + SHOW_MS - performance.now();
    if (wait > 0) {
      this.#cancelShow = hostTimers.after(wait, () => {
        this.#cancelShow = null;
        this.#show();
      });
      return;
    }
    this.#shownAt = performance.now();
    const changed = [...this.#options.pins.keys()].filter(
      (id) => this.#shown.get(id) !== this.#lights.light(id),
    );
    for (const id of changed) {
      const light = this.#lights.light(id);
      this.#shown.set(id, light);
      this.#board?.light(id, light);
    }
  }

  #act(id: number, gesture: Gesture): void {
    const ring = this.#ring;
    if (!ring) return;
    const position = ring.ring.stations.findIndex((one) => one.id === id);
    const station = ring.ring.stations[position] as RingStation;
    const off = conditionOf(ring, position) === "dead";
    // A station that was taken out because of its wire comes back when somebody asks.
    if (gesture === "press" && !off) ring.ring.insert(position, "button");
    if (gesture === "press") void station.command("request");
    else if (gesture === "hold") void station.command("elect");
    else {
      try {
        boardAction(ring, { at: 0, verb: off ? "restart" : "crash", args: [String(id)] })();
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        this.#options.say(`panel: ${error.message}`);
      }
    }
  }
}
