/**
 * The records of a run as they come, for any number of pages: all get the same lines, so that all agree. A page that was away says
 * which record it wants next. Old records are given up for new ones, and the first line says how many.
 */
import type { ServerResponse } from "node:http";
import { UsageError } from "../../errors.ts";
import type { RecordColumns } from "../../log/columns.ts";
import type { RecordConsumer } from "../../log/consumer.ts";
import { plainJson } from "../../log/file/json-text.ts";
import { recordJson } from "../../log/file/lines.ts";
import type { RunHeader } from "../../log/records.ts";
import type { PageRequest, Routes } from "./page-server.ts";

/** So many records are kept, about 120 bytes each. */
const MOST_KEPT = 200_000;
/** A page that does not read is left alone when so much waits for it, bytes; it may come back. */
const MOST_WAITING = 8 * 1024 * 1024;
const LONGEST_WORD = 200;
const MOST_WORDS = 20;

/** Who can do an action. */
export type Doer = "board" | "host" | "relay";

export interface FeedOptions {
  /** Records that are kept. */
  most?: number;
}

export class LiveFeed implements RecordConsumer {
  /** Does something to the ring; throws UsageError where it cannot be done. */
  act: ((verb: string, args: string[]) => void) | null = null;
  readonly #most: number;
  readonly #lines: string[] = [];
  /** Sequence number of the first line that is kept. */
  #first = 0;
  #header: RunHeader | null = null;
  #can: { [verb: string]: Doer } = {};
  #footer = "";
  readonly #readers = new Set<ServerResponse>();
  readonly #early = new Set<() => void>();

  constructor({ most = MOST_KEPT }: FeedOptions = {}) {
    this.#most = most;
  }

  /** The run begins. @param can the actions that there are, and who does each */
  begin(header: RunHeader, can: { [verb: string]: Doer }): void {
    this.#header = header;
    this.#can = can;
    for (const go of this.#early) go();
    this.#early.clear();
  }

  write(columns: RecordColumns, from: number, to: number): void {
    const lines: string[] = [];
    for (let i = from; i < to; i++) lines.push(`${plainJson(recordJson(columns.get(i)))}\n`);
    this.#lines.push(...lines);
    if (this.#lines.length > this.#most * 1.25) {
      const rest = this.#lines.length - this.#most;
      this.#lines.splice(0, rest);
      this.#first += rest;
    }
    const text = lines.join("");
    for (const reader of this.#readers) {
      if (reader.writableLength > MOST_WAITING) reader.destroy();
      else reader.write(text);
    }
  }

  /** The run is over: the pages are told, and keep what they have. */
  end(verdict: string): void {
    if (this.#footer || !this.#header) return;
    const records = this.#first + this.#lines.length;
    this.#footer = `${plainJson({ records, counts: {}, verdict })}\n`;
    for (const reader of this.#readers) reader.end(this.#footer);
    this.#readers.clear();
  }

  routes(): Routes {
    return {
      "GET /records": (request) => this.#records(request),
      "POST /act": ({ body, response }) => {
        this.#act(body);
        response.end("done\n");
      },
    };
  }

  async #records({ query, response, onClose }: PageRequest): Promise<void> {
    onClose(() => this.#readers.delete(response));
    if (!this.#header) await new Promise<void>((resolve) => this.#early.add(resolve));
    const wanted = Number(query.get("from") ?? 0);
    const from = Math.max(this.#first, Number.isSafeInteger(wanted) ? wanted : 0);
    response.setHeader("Content-Type", "application/x-ndjson; charset=utf-8");
    response.write(`${plainJson({ ...this.#header, page: { from, can: this.#can } })}\n`);
    response.write(this.#lines.slice(from - this.#first).join(""));
    if (this.#footer) response.end(this.#footer);
    else this.#readers.add(response);
  }

  #act(body: string): void {
    if (!this.act || this.#footer)
      throw new UsageError("nothing can be done to this ring: it is over, or only watched");
    let asked: unknown;
    try {
      asked = JSON.parse(body);
    } catch {
      throw new UsageError("that is no action");
    }
    const { verb, args } = (asked ?? {}) as { verb?: unknown; args?: unknown };
    const fits =
      typeof verb === "string" &&
      Array.isArray(args) &&
      args.length <= MOST_WORDS &&
      args.every((arg) => typeof arg === "string" && arg.length <= LONGEST_WORD && !/\s/.test(arg));
    if (!fits) throw new UsageError("that is no action");
    this.act(verb, args as string[]);
  }
}
