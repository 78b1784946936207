/**
 * A Johnny-Five IO plugin for a ring board: its pins over the console that the ring uses, one statement at a time among
 * the ring's own. Follows the IO plugin specification of Johnny-Five (github.com/rwaldron/io-plugins).
 */
import BoardIO from "board-io";
import type { BoardProfile } from "../bench-file/profile-schema.ts";
import { UsageError } from "../errors.ts";
import type { BoardPins } from "../host/console/board-pins.ts";
import { PinNames } from "./pin-names.ts";

/** Pulses a second for PWM: few, since a board without a timer at the pin makes each by an interrupt. */
const PWM_HZ = 100;
/** Period of a servo's pulses, and the ends of its way where nothing else is said, µs (the Arduino Servo library). */
const SERVO_PERIOD = 20_000;
const SERVO_RANGE: readonly [number, number] = [544, 2400];
const SAMPLE_MS = 50;
const ANALOG_MAX = 1023;
const PWM_MAX = 255;

type Pin = number | string;
/** A Johnny-Five component that was given `piezo` as its controller. */
interface Piezo {
  io: EspruinoIO;
  pin: Pin;
}

export class EspruinoIO extends BoardIO {
  override name = "Espruino";
  readonly RESOLUTION = { ADC: ANALOG_MAX, DAC: PWM_MAX, PWM: PWM_MAX };
  readonly defaultLed: number | undefined;
  /**
   * A controller for Piezo, `new five.Piezo({ board, pin: "B5", controller: board.io.piezo })`: the board makes the tone.
   * Johnny-Five's own would write the pin twice in each period.
   */
  readonly piezo = {
    initialize: { value() {} },
    tone: {
      writable: true,
      value(this: Piezo, halfPeriod: number, ms: number) {
        this.io.tone(this.pin, 500_000 / halfPeriod, ms);
        return this;
      },
    },
    noTone: {
      writable: true,
      value(this: Piezo) {
        this.io.noTone(this.pin);
        return this;
      },
    },
  };
  readonly #board: BoardPins;
  readonly #end: () => Promise<void>;
  readonly #names: PinNames;
  readonly #servo = new Map<number, readonly [number, number]>();
  readonly #tones = new Map<number, NodeJS.Timeout>();
  #sampleMs = SAMPLE_MS;

  /**
   * @param board the pins of a station's board
   * @param profile what is known of the board; pins that the ring needs are refused
   * @param end frees the port
   */
  constructor(board: BoardPins, profile: BoardProfile | undefined, end: () => Promise<void>) {
    super({ quiet: true });
    this.#board = board;
    this.#end = end;
    this.#names = new PinNames(profile);
    for (const name of this.#names.known) this.normalize(name);
    this.defaultLed = profile?.leds.length ? 0 : undefined;
    board.events = {
      read: (name, value) => this.#heard(name, value),
      // An "error" event that nobody listens to would end the program, and the ring with it.
      refused: (name, reason) => process.emitWarning(`${name}: the board says ${reason}`, "EspruinoIO"),
      // Johnny-Five hands "disconnect" on to the program's board.
      lost: (reason) => this.emit("disconnect", reason),
      back: () => this.emit("connect"),
    };
    setImmediate(() => {
      this.emit("connect");
      this.emit("ready");
    });
  }

  /**
   * @param pin a name of Espruino's ("LED1", "B5"), or what this returned for one
   * @returns the index of the pin in `pins`
   * @throws UsageError for a pin that this board does not have or that the ring needs
   */
  normalize(pin: Pin): number {
    if (typeof pin === "number") {
      if (this._pins[pin]) return pin;
      throw new UsageError(`${pin} is no pin of a ring board: give its name, such as "LED1" or "B5"`);
    }
    const index = this.#names.indexOf(pin);
    if (!this._pins[index]) {
      const { INPUT, OUTPUT, ANALOG, PWM, SERVO } = this.MODES;
      const button = this.#names.isButton(index);
      const supportedModes = button ? [INPUT] : [INPUT, OUTPUT, ANALOG, PWM, SERVO];
      // A Relay writes without a word about the mode.
      const mode = button ? INPUT : OUTPUT;
      this._pins[index] = { supportedModes, mode, value: 0, report: 0, analogChannel: 127 };
    }
    return index;
  }

  /** Johnny-Five asks these instead of a list that it made before a pin was first named. */
  isPwm = (pin: Pin): boolean => this.#can(pin, this.MODES.PWM);
  isServo = (pin: Pin): boolean => this.#can(pin, this.MODES.SERVO);
  isAnalog = (pin: Pin): boolean => this.#can(pin, this.MODES.ANALOG);
  isOutput = (pin: Pin): boolean => this.#can(pin, this.MODES.OUTPUT);
  isInput = (pin: Pin): boolean => this.#can(pin, this.MODES.INPUT);

  override pinMode(pin: Pin, mode: number): void {
    const index = this.normalize(pin);
    const { INPUT, OUTPUT, ANALOG, PWM, SERVO } = this.MODES;
    this.#pin(index).mode = mode;
    // The firmware has set up the button; an output that pulses is set up by its first write.
    if (this.#names.isButton(index) || mode === PWM || mode === SERVO) return;
    const word =
      mode === INPUT ? "input" : mode === OUTPUT ? "output" : mode === ANALOG ? "analog" : undefined;
    if (word === undefined)
      throw new UsageError(`${this.#names.name(index)}: a ring board has no mode ${mode}`);
    this.#board.mode(this.#names.name(index), word);
  }

  override digitalWrite(pin: Pin, value: number): void {
    const index = this.normalize(pin);
    const name = this.#names.name(index);
    if (this.#names.isButton(index)) {
      // A Button with a pull-up asks for one this way; that of the board is as it must be.
      return;
    }
    if (this.#pin(index).mode === this.MODES.INPUT) {
      this.#board.mode(name, value ? "input_pullup" : "input_pulldown");
      return;
    }
    this.#endTone(index);
    this.#pin(index).value = value ? 1 : 0;
    this.#board.write(name, value ? 1 : 0);
  }

  override analogWrite(pin: Pin, value: number): void {
    const index = this.#output(pin);
    const level = Math.min(Math.max(value / PWM_MAX, 0), 1);
    const name = this.#names.name(index);
    this.#pin(index).value = value;
    if (this.#pin(index).mode !== this.MODES.PWM) this.#board.analogWrite(name, level);
    else if (level === 0 || level === 1) this.#board.write(name, level);
    else this.#board.analogWrite(name, level, PWM_HZ);
  }

  pwmWrite(pin: Pin, value: number): void {
    this.#pin(this.#output(pin)).mode = this.MODES.PWM;
    this.analogWrite(pin, value);
  }

  servoConfig(pin: Pin, least: number, most: number): void {
    const index = this.#output(pin);
    this.#pin(index).mode = this.MODES.SERVO;
    this.#servo.set(index, [least, most]);
  }

  /** @param value degrees below 544, microseconds from there on */
  override servoWrite(pin: Pin, value: number): void {
    const index = this.#output(pin);
    const [least, most] = this.#servo.get(index) ?? SERVO_RANGE;
    const degrees = Math.min(Math.max(value, 0), 180);
    const micros = value < SERVO_RANGE[0] ? least + ((most - least) * degrees) / 180 : value;
    this.#pin(index).value = value;
    this.#board.analogWrite(this.#names.name(index), micros / SERVO_PERIOD, 1e6 / SERVO_PERIOD);
  }

  /** @param ms how long; 0: until `noTone` */
  tone(pin: Pin, hz: number, ms = 0): void {
    const index = this.#output(pin);
    this.#board.analogWrite(this.#names.name(index), 0.5, hz);
    if (ms > 0)
      this.#tones.set(
        index,
        setTimeout(() => this.noTone(index), ms),
      );
  }

  noTone(pin: Pin): void {
    this.#board.write(this.#names.name(this.#output(pin)), 0);
  }

  override digitalRead(pin: Pin, callback: (value: number) => void): void {
    const index = this.normalize(pin);
    this.on(`digital-read-${index}`, callback);
    this.#report(index, "digital");
  }

  override analogRead(pin: Pin, callback: (value: number) => void): void {
    const index = this.normalize(pin);
    this.on(`analog-read-${index}`, callback);
    this.#report(index, "analog");
  }

  /** @param ms between two looks at each analog pin, 20 or more; holds for pins that are read from now on */
  override setSamplingInterval(ms: number): void {
    this.#sampleMs = Math.max(20, Math.round(ms));
  }

  /** Ends all reports, and frees the port where this has opened it. Outputs stay as they are. */
  async close(): Promise<void> {
    for (const index of this.#tones.keys()) this.noTone(index);
    await this.#board.release();
    await this.#end();
    this.emit("close");
  }

  #report(index: number, kind: "digital" | "analog"): void {
    const pin = this.#pin(index);
    if (kind === "analog") pin.mode = this.MODES.ANALOG;
    pin.report = 1;
    if (kind === "digital") this.#board.watch(this.#names.name(index));
    else this.#board.sample(this.#names.name(index), this.#sampleMs);
  }

  #heard(name: string, value: number): void {
    const index = this.#names.find(name);
    const pin = index === undefined ? undefined : this._pins[index];
    if (!pin?.report) return;
    pin.value = value;
    this.emit(`${pin.mode === this.MODES.ANALOG ? "analog" : "digital"}-read-${index}`, value);
  }

  /** The index of a pin that is to be written. */
  #output(pin: Pin): number {
    const index = this.normalize(pin);
    if (this.#names.isButton(index))
      throw new UsageError(`${this.#names.name(index)} is a button of the board: it can only be read`);
    this.#endTone(index);
    return index;
  }

  #endTone(index: number): void {
    clearTimeout(this.#tones.get(index));
    this.#tones.delete(index);
  }

  #can(pin: Pin, mode: number): boolean {
    return this.#pin(this.normalize(pin)).supportedModes.includes(mode);
  }

  #pin(index: number): BoardIO["pins"][number] {
    return this._pins[index] as BoardIO["pins"][number];
  }
}
