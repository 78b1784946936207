/** `Serial1`, `USB` and their like as a program sees them. */
import { bytesOf, fromBytes, toBytes } from "../bytes.ts";
import { chunkBytes, defaultLine, type LineSettings, type Uart } from "../hardware/uart.ts";
import type { Callback } from "./events.ts";
import type { Machine } from "./machine.ts";

/** Bytes kept for a port that nobody listens to. */
const backlogBytes = 512;

const setupKeys = ["rx", "tx", "ck", "cts", "bytesize", "stopbits", "parity", "flow", "errors"];

interface Port {
  readonly name: string;
  readonly object: object;
  readonly uart: Uart | undefined;
  backlog: string;
  errors: boolean;
}

/** The serial ports of a running program. */
export class SerialObjects {
  private readonly machine: Machine;
  private readonly ports: Port[] = [];
  private readonly framingErrors = new Map<Port, number>();

  constructor(machine: Machine) {
    this.machine = machine;
    const { realm, uarts, usb } = machine;
    const Serial = this.makeClass();
    for (const name of [...(usb ? ["USB"] : []), ...uarts.keys()]) {
      const object = new Serial();
      realm.define(realm.global, { [name]: object });
      this.ports.push({ name, object, uart: uarts.get(name), backlog: "", errors: false });
    }
  }

  /** The device that an object is, for printing. */
  nameOf(object: object): string | undefined {
    return this.find(object)?.name;
  }

  private find(object: unknown): Port | undefined {
    return this.ports.find((port) => port.object === object);
  }

  private require(object: unknown): Port {
    const port = this.find(object);
    if (port === undefined) throw this.machine.realm.error("Error", "Not a hardware Serial device");
    return port;
  }

  private makeClass(): new () => object {
    const self = this;
    const { machine } = this;
    return machine.realm.makeClass("Serial", {
      setup(this: unknown, baud: unknown, options: unknown) {
        self.setup(self.require(this), baud, options);
      },
      unsetup(this: unknown) {
        self.require(this).uart?.unsetup();
      },
      print(this: unknown, value: unknown) {
        self.write(self.require(this), toBytes(String(value)));
      },
      println(this: unknown, value: unknown) {
        self.write(self.require(this), toBytes(`${String(value)}\r\n`));
      },
      write(this: unknown, ...items: unknown[]) {
        self.write(self.require(this), Uint8Array.from(items.flatMap((item) => bytesOf(item))));
      },
      inject(this: unknown, ...items: unknown[]) {
        const port = self.require(this);
        (port.uart ?? machine.usb)?.inject(items.flatMap((item) => bytesOf(item)));
      },
      available(this: unknown) {
        return self.require(this).backlog.length;
      },
      read(this: unknown, count: unknown) {
        return self.read(self.require(this), Number(count ?? 0));
      },
      pipe(this: object, target: { write?: (data: string) => void }) {
        machine.events.add(this, "data", ((data: string) => target.write?.(data)) as Callback, false);
      },
      flush() {},
      isConnected(this: unknown) {
        const { uart } = self.require(this);
        return uart ? uart.ready : Boolean(machine.usb?.connected);
      },
      setConsole(this: unknown, force: unknown) {
        machine.moveConsole(self.require(this).name, Boolean(force));
      },
    });
  }

  private setup(port: Port, baud: unknown, options: unknown): void {
    const { realm } = this.machine;
    const given = (typeof options === "object" && options !== null ? options : {}) as Record<string, unknown>;
    const unknownKey = Object.keys(given).find((key) => !setupKeys.includes(key));
    if (unknownKey !== undefined) throw realm.error("Error", `Unknown option "${unknownKey}"`);
    const rate = baud === undefined ? defaultLine.baud : Math.trunc(Number(baud));
    if (!(rate > 100 && rate <= 10_000_000)) throw realm.error("Error", `Invalid baud rate ${rate}`);
    const { flow, parity } = given;
    if (![undefined, null, "none", "xon"].includes(flow as string)) {
      throw realm.error("Error", `Invalid flow control: "${String(flow)}"`);
    }
    const settings: LineSettings = {
      baud: rate,
      bytesize: Number(given.bytesize ?? 8),
      stopbits: Number(given.stopbits ?? 1),
      parity: ["o", "odd", "e", "even", 1, 2].includes(parity as string),
      flow: flow === "xon",
    };
    port.errors = Boolean(given.errors);
    port.uart?.setup(settings);
  }

  /** A full transmit FIFO makes the program wait. */
  private write(port: Port, bytes: Uint8Array): void {
    const { cpu, usb } = this.machine;
    const { uart } = port;
    if (uart?.ready) {
      // What is in the FIFO is on its way: only the wait for room delays the bytes and the program.
      const atUs = cpu.now();
      const waitUs = uart.reserve(bytes.length, atUs);
      cpu.effect(() => uart.send(bytes));
      cpu.spend(waitUs);
    } else if (uart === undefined) cpu.effect(() => void usb?.send(bytes));
  }

  private read(port: Port, count: number): string {
    const length = count > 0 ? count : port.backlog.length;
    const data = port.backlog.slice(0, length);
    port.backlog = port.backlog.slice(length);
    return data;
  }

  /** Bytes wait until somebody listens; the first listener gets them at once. */
  listenerAdded(object: object): void {
    const port = this.find(object);
    if (port === undefined || port.backlog === "") return;
    const { events } = this.machine;
    events.emit(object, "data", [port.backlog]);
    port.backlog = "";
  }

  framing(name: string, count: number): void {
    const port = this.ports.find((each) => each.name === name);
    if (!port?.errors) return;
    this.framingErrors.set(port, (this.framingErrors.get(port) ?? 0) + count);
  }

  /** Data events for what has arrived. @returns false when the board is busy before all is done */
  serve(nowUs: number): boolean {
    const { machine } = this;
    for (const port of this.ports) {
      // The console's bytes belong to the REPL.
      if (port.name === machine.console.name) continue;
      let left = port.uart?.available(nowUs) ?? machine.usb?.available ?? 0;
      while (left > 0) {
        const chunk = port.uart?.take(nowUs, chunkBytes) ?? machine.usb?.take(chunkBytes);
        if (chunk === undefined || chunk.length === 0) break;
        left -= chunk.length;
        if (!this.deliver(port, fromBytes(chunk))) return false;
      }
    }
    return this.serveFraming();
  }

  private serveFraming(): boolean {
    const { machine } = this;
    for (const [port, count] of this.framingErrors) {
      this.framingErrors.delete(port);
      const listeners = machine.events.listeners(port.object, "framing");
      for (let i = 0; i < count; i++) machine.callAll(listeners, port.object, [], { kind: "event" });
    }
    return machine.powered && !machine.cpu.busy;
  }

  private deliver(port: Port, data: string): boolean {
    const { machine } = this;
    const listeners = machine.events.listeners(port.object, "data");
    if (listeners.length === 0) {
      const room = backlogBytes - port.backlog.length;
      if (data.length > room) machine.flags.raise("BUFFER_FULL");
      port.backlog += data.slice(0, Math.max(0, room));
      return true;
    }
    return machine.callAll(listeners, port.object, [data], {
      kind: "data",
      remove: () => machine.events.removeAll(port.object, "data"),
    });
  }

  /** The port that `E.setConsole` means: a name or an object. */
  byNameOrObject(value: unknown): string | undefined {
    return this.ports.find((port) => port.name === value || port.object === value)?.name;
  }
}
