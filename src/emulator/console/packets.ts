/**
 * Binary packets on the console, as since release 2v25: DLE SOH, two bytes of type and length, data. Each is answered
 * with ACK or NAK; five seconds without its end bring a NAK and give the line back.
 */
import { fromBytes } from "../bytes.ts";
import type { Clock } from "../hardware/clock.ts";
import { parseLiberal } from "../interpreter/liberal-json.ts";

const ack = "\x06";
const nak = "\x15";

const sizeMask = 0x1fff;
const typeMask = 0xe000;
const types = {
  response: 0x0000,
  eval: 0x2000,
  event: 0x4000,
  fileSend: 0x6000,
  data: 0x8000,
  fileReceive: 0xa000,
};

/** Microseconds until an unfinished packet is given up, and an upload that has gone quiet. */
const packetTimeoutUs = 5e6;
const fileTimeoutUs = 10e6;
/** Bytes of a file in one packet of a download. */
const downloadBytes = 1024;

export interface PacketHost {
  readonly clock: Clock;
  raw(text: string): void;
  /** Takes the prompt off the terminal, as the interpreter does for every exception, printed or not. */
  aside(): void;
  /** Evaluates one expression; the text of its value, or undefined after printing what went wrong. */
  evaluate(source: string, failed: () => void): string | undefined;
  /** Runs the `packet` listeners of E with a plain value; false when there are none. */
  event(value: unknown): boolean;
  readFile(name: string): Uint8Array | undefined;
  /** Writes a part of a file; problems are printed as uncaught errors. */
  writeFile(name: string, data: string, offset: number, size: number): void;
}

interface Upload {
  readonly name: string;
  readonly size: number;
  offset: number;
}

export class Packets {
  private readonly host: PacketHost;
  private state: "idle" | "high" | "low" | "data" = "idle";
  private header = 0;
  private data: number[] = [];
  private upload: Upload | undefined;
  private cancelPacket: (() => void) | undefined;
  private cancelFile: (() => void) | undefined;

  constructor(host: PacketHost) {
    this.host = host;
  }

  /** In the middle of a packet: every byte belongs to it, Ctrl-C too. */
  get active(): boolean {
    return this.state !== "idle";
  }

  start(): void {
    this.state = "high";
    this.data = [];
    const { clock } = this.host;
    this.cancelPacket = clock.at(clock.now() + packetTimeoutUs, () => {
      this.end();
      this.host.raw(nak);
    });
  }

  take(byte: number): void {
    if (this.state === "high") {
      this.header = byte << 8;
      this.state = "low";
      return;
    }
    if (this.state === "low") {
      this.header |= byte;
      this.state = "data";
    } else this.data.push(byte);
    if (this.data.length < (this.header & sizeMask)) return;
    this.process();
    this.end();
  }

  private end(): void {
    this.state = "idle";
    this.cancelPacket?.();
    this.cancelPacket = undefined;
  }

  /** The program ends: transfers are closed. */
  reset(): void {
    this.end();
    this.closeUpload();
  }

  private process(): void {
    const text = fromBytes(Uint8Array.from(this.data));
    const type = this.header & typeMask;
    if (type === types.eval) this.processEval(text);
    else if (type === types.fileReceive) this.download(text);
    else if (type === types.event) this.answer(this.processEvent(text));
    else if (type === types.fileSend) this.answer(this.openUpload(text));
    else if (type === types.data) this.answer(this.processData(text));
    else this.answer(false);
  }

  private answer(ok: boolean): void {
    this.host.raw(ok ? ack : nak);
  }

  private processEval(text: string): void {
    const result = this.host.evaluate(text, () => this.answer(false));
    if (result === undefined) return;
    this.answer(true);
    this.reply(types.response, result);
  }

  /** The interpreter's own printing puts CR before LF, in packets too: the length does not count it. */
  private reply(type: number, text: string): void {
    const header = type | (text.length & sizeMask);
    this.host.raw(`\x10\x01${String.fromCharCode(header >> 8, header & 255)}`);
    this.host.raw(text.replaceAll("\n", "\r\n"));
  }

  private parse(text: string): Record<string, unknown> | undefined {
    try {
      const value = parseLiberal(text);
      if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
      return value as Record<string, unknown>;
    } catch {
      this.host.aside();
      return undefined;
    }
  }

  private processEvent(text: string): boolean {
    const value = this.parse(text);
    return value !== undefined && this.host.event(value);
  }

  private openUpload(text: string): boolean {
    this.closeUpload();
    const request = this.parse(text);
    const size = Number(request?.s);
    // No card to write files on, and no unpacking of compressed uploads.
    if (typeof request?.fn !== "string" || !(size > 0) || request.fs || request.c) return false;
    this.upload = { name: request.fn, size, offset: 0 };
    this.watchUpload();
    return true;
  }

  private watchUpload(): void {
    this.cancelFile?.();
    const { clock } = this.host;
    this.cancelFile = clock.at(clock.now() + fileTimeoutUs, () => this.closeUpload());
  }

  private closeUpload(): void {
    this.upload = undefined;
    this.cancelFile?.();
    this.cancelFile = undefined;
  }

  /** A part that flash refuses is acknowledged all the same; the error is printed. */
  private processData(text: string): boolean {
    const { upload } = this;
    if (upload === undefined) return false;
    this.host.writeFile(upload.name, text, upload.offset, upload.size);
    upload.offset += text.length;
    if (upload.offset >= upload.size) this.closeUpload();
    else this.watchUpload();
    return true;
  }

  private download(text: string): void {
    const name = this.parse(text)?.fn;
    const content = typeof name === "string" ? this.host.readFile(name) : undefined;
    this.answer(content !== undefined);
    if (content === undefined) return;
    for (let from = 0; from < content.length; from += downloadBytes) {
      this.reply(types.data, fromBytes(content.subarray(from, from + downloadBytes)));
    }
    this.reply(types.data, "");
  }
}
