/**
 * Where the REPL's characters go: USB, a UART, nowhere, or "limbo", the second after power-up in which a board with
 * USB does not know yet and keeps what it prints in its transmit FIFO.
 */
import { toBytes } from "../bytes.ts";
import type { Uart } from "../hardware/uart.ts";
import type { Usb } from "../hardware/usb.ts";

/** Name of a device, or null when the console is switched off. */
export type ConsoleName = string | null;

export const limbo = "Limbo";

export interface ConsoleDeviceOptions {
  readonly usb: Usb | undefined;
  readonly uarts: ReadonlyMap<string, Uart>;
  /** Where the console goes when USB is not read. */
  readonly fallback: string;
  /** Bytes of the transmit FIFO. */
  readonly txBuffer: number;
}

export class ConsoleDevice {
  name: ConsoleName = null;
  /** `USB.setConsole(true)`: the connection does not move the console. */
  forced = false;
  private readonly options: ConsoleDeviceOptions;
  private pending: string[] = [];
  private rest: Uint8Array = new Uint8Array();
  private inLimbo: Uint8Array[] = [];
  private limboBytes = 0;

  constructor(options: ConsoleDeviceOptions) {
    this.options = options;
  }

  /** Puts the console on a device without a word: power-up. */
  start(name: ConsoleName): void {
    this.forced = false;
    this.pending = [];
    this.rest = new Uint8Array();
    this.inLimbo = [];
    this.limboBytes = 0;
    this.attach(name);
  }

  /** The UART that the console is on, if it is one. */
  get uart(): Uart | undefined {
    return this.name === null ? undefined : this.options.uarts.get(this.name);
  }

  /** Characters for the console; `flush` sends them off. */
  readonly raw = (text: string): void => {
    this.pending.push(text);
  };

  /** Hands what is pending to the device. @returns false when the device takes no more for now */
  flush(): boolean {
    if (this.pending.length > 0) {
      const more = toBytes(this.pending.join(""));
      this.pending = [];
      this.rest = this.rest.length === 0 ? more : Buffer.concat([this.rest, more]);
    }
    if (this.rest.length > 0) this.rest = this.rest.subarray(this.transmit(this.rest));
    return this.rest.length === 0;
  }

  /** What a broken-off program still had to print is gone. */
  discard(): void {
    this.pending = [];
    this.rest = new Uint8Array();
  }

  private transmit(bytes: Uint8Array): number {
    const { usb, txBuffer } = this.options;
    if (this.name === limbo) {
      const room = Math.min(bytes.length, txBuffer - this.limboBytes);
      if (room > 0) this.inLimbo.push(bytes.slice(0, room));
      this.limboBytes += room;
      return room;
    }
    if (this.name === "USB" && usb) return usb.send(bytes);
    this.uart?.send(bytes);
    return bytes.length;
  }

  /** What the console would be on now if nobody chose. */
  preferred(): string {
    const { usb, fallback } = this.options;
    return usb?.connected ? "USB" : fallback;
  }

  /**
   * Moves the console. The old and the new device each get a line that says so, unless echo is off.
   *
   * @param force the state of USB does not move it from there
   * @param beside takes the prompt off the terminal
   */
  move(name: ConsoleName, force: boolean, echo: boolean, beside: () => void): void {
    this.forced = force;
    const old = this.name;
    if (name === old) return;
    const tell = echo && old !== limbo;
    if (tell) {
      beside();
      this.raw(`-> ${name}\r\n`);
    }
    if (old !== limbo) this.flush();
    this.attach(name);
    if (old === limbo) this.leaveLimbo();
    if (tell) this.raw(`<- ${old}\r\n`);
    this.flush();
  }

  /** The second after power-up is over. @returns true when the console was still in limbo */
  endLimbo(): boolean {
    if (this.name !== limbo) return false;
    this.attach(this.preferred());
    this.leaveLimbo();
    return true;
  }

  private leaveLimbo(): void {
    const bytes = this.inLimbo;
    this.inLimbo = [];
    this.limboBytes = 0;
    for (const piece of bytes) this.transmit(piece);
  }

  private attach(name: ConsoleName): void {
    this.name = name;
    for (const uart of this.options.uarts.values()) uart.watchBytes = uart.name === name;
    const { uart } = this;
    if (uart && !uart.ready) uart.setup(uart.settings);
  }
}
