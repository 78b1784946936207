import { whereabouts } from "./candidate-ports.ts";
import { causeText, LinkError } from "./errors.ts";
import type { Link, LinkCounters, LinkListener, LinkState } from "./link.ts";
import { guarded } from "./listener.ts";
import { samePort } from "./open.ts";
import { listPorts, type PortInfo } from "./ports.ts";
import { hostTimers, LATE, type Timers, within } from "./time.ts";

/** What a board says of itself. */
export interface BoardIdentity {
  /** The station's id. */
  id: number;
  /** Made anew at each start of the board: another one means that it restarted meanwhile. */
  bootId: string;
}

/** A board that is back. */
export interface Return {
  path: string;
  /** What the probe said, undefined without a probe. */
  board: BoardIdentity | undefined;
  /** Attempts it took, 1 or more. */
  attempts: number;
}

export interface ReconnectOptions {
  /** Where the board is to begin with. */
  path: string;
  /** Makes a link to a path, not open. */
  connect(path: string): Link;
  listener?: LinkListener;
  /**
   * Asks the board at the other end of an open link who it is; undefined when nothing of ours answers. It may set the
   * link's listener, and leaves the link open.
   */
  probe?(link: Link): Promise<BoardIdentity | undefined>;
  /** Longest time for one probe, default 5000. */
  probeLimitMs?: number;
  /** Ports where the board may turn up. Default: those that the system lists. */
  ports?(): Promise<readonly PortInfo[]>;
  /** Ports that others use; they are left alone. */
  inUse?(path: string): boolean;
  /** Wait before the first attempt, default 500. Each later wait is `backOff` times as long, up to `maxIntervalMs`. */
  intervalMs?: number;
  /** Default 1.5. */
  backOff?: number;
  /** Default 5000. */
  maxIntervalMs?: number;
  /** Attempts after one loss, default without end. */
  attempts?: number;
  timers?: Timers;
  /** An attempt failed; the next is `nextMs` from now. */
  onAttempt?(attempt: number, reason: string, nextMs: number): unknown;
  /** The link is open again; comes after the listener's `onState("open")`. */
  onReturn?(found: Return): unknown;
  /** Another board answers where this one is looked for; it is left alone. */
  onStranger?(board: BoardIdentity, path: string): unknown;
  /** All attempts are used up. The link stays lost until somebody opens it. */
  onGivenUp?(reason: string): unknown;
}

const DEFAULTS = {
  probeLimitMs: 5000,
  intervalMs: 500,
  backOff: 1.5,
  maxIntervalMs: 5000,
  attempts: Number.POSITIVE_INFINITY,
};

interface Found {
  link: Link;
  port: PortInfo | undefined;
  board: BoardIdentity | undefined;
}

/**
 * A link to a board rather than to a path. A lost board is looked for until it is back: by its USB serial number where
 * that is unique, else by the id that the probe reports, on the path it had and on ports of the same USB id. Without
 * either, the path is all there is to know it by. While the board is away the link is `lost` and refuses writes.
 */
export class ReconnectingLink implements Link {
  listener: LinkListener;
  readonly #options: ReconnectOptions & typeof DEFAULTS;
  readonly #timers: Timers;
  #link: Link;
  /** The board as it was when last seen. */
  #known: Omit<Found, "link"> = { port: undefined, board: undefined };
  #state: LinkState = "closed";
  #opening: Promise<void> | undefined;
  /** Another number at each opening, loss and close: work begun under an earlier one no longer counts. */
  #turn = 0;
  #candidate: Link | undefined;
  #search: Promise<unknown> = Promise.resolve();
  #endPause: () => void = () => {};
  #cutProbe: () => void = () => {};
  /** Totals of the links this one had on other paths, and what it counted itself. */
  #past: LinkCounters | undefined;
  #refused = 0;
  #listenerErrors = 0;

  constructor(options: ReconnectOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#timers = options.timers ?? hostTimers;
    this.listener = options.listener ?? {};
    this.#link = options.connect(options.path);
  }

  /** Where the board was last seen. */
  get path(): string {
    return this.#link.path;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** What the probe last said. */
  get board(): BoardIdentity | undefined {
    return this.#known.board;
  }

  /** Takes note of who the board is: it has been told another id. */
  learn(board: BoardIdentity): void {
    this.#known = { ...this.#known, board };
  }

  get counters(): Readonly<LinkCounters> {
    const total = add(this.#link.counters, this.#past);
    total.refused += this.#refused;
    total.listenerErrors += this.#listenerErrors;
    return total;
  }

  open(): Promise<void> {
    if (this.#state === "open") return Promise.resolve();
    if (this.#opening) return this.#opening;
    const turn = this.#newTurn();
    this.#become("opening");
    const opening = this.#openOnce(turn).finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#opening = opening;
    opening.catch(() => {});
    return opening;
  }

  write(text: string): boolean {
    if (this.#state === "open") return this.#link.write(text);
    this.#refused += 1;
    return false;
  }

  flush(limitMs: number): Promise<boolean> {
    return this.#state === "open" ? this.#link.flush(limitMs) : Promise.resolve(false);
  }

  otherReaders(): string[] {
    return this.#link.otherReaders?.() ?? [];
  }

  /** Ends the connection, or the search for the board. */
  async close(): Promise<void> {
    const before = this.#state;
    this.#newTurn();
    this.#opening = undefined;
    this.#state = "closed";
    const closing = this.#link.close();
    if (before !== "closed") this.#tell(() => this.listener.onState?.("closed"));
    await closing;
    await this.#search;
  }

  async #openOnce(turn: number): Promise<void> {
    const found = await this.#look(turn);
    if (turn !== this.#turn) throw new LinkError("closed", this.path, "closed while it was opening");
    if (found instanceof LinkError) {
      this.#become("closed");
      throw found;
    }
    this.#adopt(found);
  }

  #lost(reason: string): void {
    const turn = this.#newTurn();
    this.#become("lost");
    this.#tell(() => this.listener.onLost?.(reason));
    if (turn === this.#turn) void this.#bringBack(turn);
  }

  async #bringBack(turn: number): Promise<void> {
    const { intervalMs, backOff, maxIntervalMs, attempts } = this.#options;
    let waitMs = intervalMs;
    for (let attempt = 1; ; attempt++) {
      await this.#pause(waitMs);
      if (turn !== this.#turn) return;
      const found = await this.#look(turn);
      if (turn !== this.#turn) return;
      if (!(found instanceof LinkError)) {
        this.#adopt(found);
        const { board, link } = found;
        if (turn !== this.#turn) return;
        this.#tell(() => this.#options.onReturn?.({ path: link.path, board, attempts: attempt }));
        return;
      }
      if (attempt >= attempts) {
        this.#tell(() => this.#options.onGivenUp?.(found.message));
        return;
      }
      waitMs = Math.min(maxIntervalMs, waitMs * backOff);
      this.#tell(() => this.#options.onAttempt?.(attempt, found.message, waitMs));
    }
  }

  /**
   * One look at every port where the board may be. Resolves with the last error when it is on none. One look at a time:
   * an earlier one that no longer counts must not close what a later one opened.
   */
  #look(turn: number): Promise<Found | LinkError> {
    const search = this.#search.then(() => this.#lookNow(turn));
    this.#search = search;
    return search;
  }

  async #lookNow(turn: number): Promise<Found | LinkError> {
    let error = new LinkError("missing", this.path, "not back yet: no port looks like it");
    const { path: first, probe } = this.#options;
    const listed = await this.#list();
    const known = this.#known.port;
    for (const path of whereabouts({ paths: [this.path, first], known, listed, canProbe: !!probe })) {
      if (turn !== this.#turn) break;
      if (this.#isTaken(path)) continue;
      try {
        const found = await this.#try(path);
        if (turn === this.#turn) return { ...found, port: listed.find((port) => samePort(port.path, path)) };
        await found.link.close();
      } catch (cause) {
        error = cause instanceof LinkError ? cause : new LinkError("failed", path, causeText(cause));
      }
    }
    return error;
  }

  /** Opens a path and asks who is there. Throws, with the link closed, when it is not the board. */
  async #try(path: string): Promise<Pick<Found, "link" | "board">> {
    const { connect, probe, probeLimitMs } = this.#options;
    const link = samePort(path, this.path) ? this.#link : connect(path);
    link.listener = {};
    this.#candidate = link;
    try {
      await link.open();
      const cut = new Promise<undefined>((resolve) => {
        this.#cutProbe = () => resolve(undefined);
      });
      const answer = probe && (await within(this.#timers, probeLimitMs, Promise.race([probe(link), cut])));
      const board = answer === LATE ? undefined : answer;
      if (link.state !== "open") throw new LinkError("gone", path, "lost again at once");
      const known = this.#known.board;
      // Who answers at the first opening is for the owner to judge; later it has to be the same board.
      if (known && !board) throw new LinkError("missing", path, "opened, but no station answers");
      if (known && board && board.id !== known.id) {
        this.#tell(() => this.#options.onStranger?.(board, path));
        throw new LinkError("missing", path, `station ${board.id} is there, not ${known.id}`);
      }
      return { link, board };
    } catch (cause) {
      await link.close();
      throw cause;
    } finally {
      this.#candidate = undefined;
    }
  }

  async #list(): Promise<readonly PortInfo[]> {
    try {
      const { ports = async () => (await listPorts()).ports } = this.#options;
      return await ports();
    } catch {
      return [];
    }
  }

  #isTaken(path: string): boolean {
    try {
      return this.#options.inUse?.(path) ?? false;
    } catch {
      return true;
    }
  }

  #adopt(found: Found): void {
    const { link, port, board } = found;
    if (link !== this.#link) {
      this.#past = add(this.#link.counters, this.#past);
      this.#link = link;
    }
    this.#known = { port: port ?? this.#known.port, board: board ?? this.#known.board };
    link.listener = {
      onLine: (text, at) => this.listener.onLine?.(text, at),
      onBytes: (bytes, at) => this.listener.onBytes?.(bytes, at),
      onOverflow: (count, head) => this.listener.onOverflow?.(count, head),
      onTruncated: (text, at) => this.listener.onTruncated?.(text, at),
      onLost: (reason) => this.#lost(reason),
    };
    this.#become("open");
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#timers.after(ms, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  #newTurn(): number {
    this.#turn += 1;
    this.#endPause();
    this.#cutProbe();
    this.#candidate?.close();
    return this.#turn;
  }

  #become(state: LinkState): void {
    this.#state = state;
    this.#tell(() => this.listener.onState?.(state));
  }

  #tell(call: () => unknown): void {
    guarded(call, this.path, () => {
      this.#listenerErrors += 1;
      return this.#listenerErrors;
    });
  }
}

function add(counters: Readonly<LinkCounters>, past: LinkCounters | undefined): LinkCounters {
  const total = { ...counters };
  if (!past) return total;
  for (const key of Object.keys(total) as (keyof LinkCounters)[]) total[key] += past[key];
  total.lastInAt = Math.max(counters.lastInAt, past.lastInAt);
  return total;
}
