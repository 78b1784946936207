// firmata-io 2.3.0 ships no types. A CommonJS module: `import firmataIO from "firmata-io"; const { Firmata } = firmataIO;`
declare module "firmata-io" {
  import type { EventEmitter } from "node:events";

  /** What carries the bytes: emits `open`, `data` (bytes), `close` and `error`. A SerialPort is one. */
  export interface FirmataTransport extends Pick<EventEmitter, "on"> {
    write(bytes: Buffer, callback?: (error?: Error | null) => void): unknown;
    readonly path?: string | undefined;
  }

  export interface FirmataPin {
    supportedModes: number[];
    mode: number | undefined;
    value: number;
    report: number;
    analogChannel: number;
  }

  export interface FirmataOptions {
    /** Limit in ms for the board's first version report; then it is asked for. Default 5000. */
    reportVersionTimeout?: number;
    /** ms between two reports of an analog pin. Default 19. */
    samplingInterval?: number;
    skipCapabilities?: boolean;
  }

  /** Emits `connect` only on the transport's `open`, so it must be made before the transport opens; then `ready`. */
  class Firmata extends EventEmitter {
    constructor(transport: FirmataTransport, options?: FirmataOptions, ready?: (error?: Error) => void);
    readonly transport: FirmataTransport;
    readonly isReady: boolean;
    readonly HIGH: 1;
    readonly LOW: 0;
    readonly MODES: Readonly<Record<string, number>>;
    readonly pins: FirmataPin[];
    readonly analogPins: number[];
    readonly firmware: { name?: string; version?: { major: number; minor: number } };
    readonly version: { major?: number; minor?: number };
    pinMode(pin: number, mode: number): void;
    digitalWrite(pin: number, value: number): void;
    digitalRead(pin: number, callback: (value: number) => void): void;
    pwmWrite(pin: number, value: number): void;
    analogRead(pin: number, callback: (value: number) => void): void;
    reportDigitalPin(pin: number, report: 0 | 1): void;
    reset(): void;
  }

  export type { Firmata };

  const firmataIO: { Firmata: typeof Firmata };
  export default firmataIO;
}
