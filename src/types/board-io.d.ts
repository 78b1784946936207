// board-io 3.0.5, the base class of Johnny-Five IO plugins, ships no types. A CommonJS module: default import only.
declare module "board-io" {
  import type { EventEmitter } from "node:events";

  /** One pin, as the Johnny-Five IO plugin specification lays it down. */
  export interface IOPin {
    /** Values of `MODES` that the pin can take. */
    supportedModes: number[];
    /** The mode it has now. */
    mode: number;
    /** Last value written or read: 0 or 1, 0 to 255 for PWM, 0 to 1023 for analog. */
    value: number;
    /** 1 while changes are reported. */
    report: number;
    /** Number of the analog channel, 127 for none. */
    analogChannel: number;
  }

  export interface IOModes {
    readonly INPUT: 0;
    readonly OUTPUT: 1;
    readonly ANALOG: 2;
    readonly PWM: 3;
    readonly SERVO: 4;
    readonly SHIFT: 5;
    readonly I2C: 6;
    readonly ONEWIRE: 7;
    readonly STEPPER: 8;
    readonly IGNORE: 127;
    readonly UNKNOWN: 16;
  }

  /**
   * Every method only logs a line (none with `quiet`): a plugin overrides those that its board can do. It fills `_pins`,
   * then emits `connect` and `ready`; pins that are missing or malformed by then throw.
   */
  export default class BoardIO extends EventEmitter {
    constructor(options?: { quiet?: boolean });
    name?: string;
    protected _pins: IOPin[];
    readonly pins: IOPin[];
    /** Indexes in `pins` of those that can read analog values. */
    readonly analogPins: number[];
    readonly isReady: boolean;
    readonly HIGH: 1;
    readonly LOW: 0;
    readonly MODES: IOModes;
    pinMode(pin: number | string, mode: number): void;
    digitalWrite(pin: number | string, value: number): void;
    digitalRead(pin: number | string, callback: (value: number) => void): void;
    analogWrite(pin: number | string, value: number): void;
    analogRead(pin: number | string, callback: (value: number) => void): void;
    servoWrite(pin: number | string, degrees: number): void;
    setSamplingInterval(ms: number): void;
  }
}
