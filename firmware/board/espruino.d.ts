// The globals of an Espruino board that the boot code may use, as the Espruino reference describes them.
// Those that some builds lack are optional or may be undefined: test with `typeof` before use.

/** A pin. Converts to its name, as "D5" or "B3". */
interface Pin {
  read(): boolean;
  write(value: boolean | number): void;
  set(): void;
  reset(): void;
  toggle(): boolean;
  mode(mode: PinMode): void;
  getMode(): PinMode;
  getInfo(): Record<string, unknown>;
}

type PinMode =
  | "auto"
  | "analog"
  | "input"
  | "input_pullup"
  | "input_pulldown"
  | "output"
  | "opendrain"
  | "opendrain_pullup"
  | "af_output"
  | "af_opendrain";

interface SerialOptions {
  rx?: Pin;
  tx?: Pin;
  ck?: Pin;
  cts?: Pin;
  bytesize?: 7 | 8;
  parity?: "none" | "odd" | "even" | "o" | "e";
  stopbits?: 1 | 2;
  flow?: "none" | "xon";
  /** Linux builds: the tty to open. */
  path?: string;
  /** Emit `framing` and `parity` events; STM32 and nRF5x builds only. */
  errors?: boolean;
}

/** A UART or the USB console. One character of a string is one byte. */
interface Serial {
  setup(baud: number, options?: SerialOptions): void;
  unsetup(): void;
  on(event: "data", listener: (data: string) => void): void;
  on(event: "framing" | "parity", listener: () => void): void;
  removeAllListeners(event?: string): void;
  write(...data: (string | number | number[] | Uint8Array)[]): void;
  print(text: string): void;
  println(text: string): void;
  available(): number;
  read(chars?: number): string | undefined;
  inject?(...data: (string | number | number[] | Uint8Array)[]): void;
  flush?(): void;
}

interface USBSerial extends Serial {
  /** With `true` the console stays on USB also while no host reads it. */
  setConsole(force?: boolean): void;
  isConnected?(): boolean;
}

interface EspruinoFlash {
  read(name: string, offset?: number, length?: number): string | undefined;
  /** Missing file: undefined. Bad JSON throws unless `noExceptions`. Missing on builds that save on flash. */
  readJSON?(name: string, noExceptions?: boolean): unknown;
  /** Names are cut at 28 characters. */
  write(name: string, data: string | number[] | Uint8Array | object, offset?: number, size?: number): boolean;
  writeJSON?(name: string, data: unknown): boolean;
  erase(name: string): void;
  list(filter?: RegExp): string[];
  getFree(checkInternal?: boolean): number;
  compact(): void;
}

type ErrorFlag = "FIFO_FULL" | "BUFFER_FULL" | "CALLBACK" | "LOW_MEMORY" | "MEMORY" | "UART_OVERFLOW";

interface EspruinoE {
  /** CRC-32 (IEEE 802.3) as an unsigned number. Missing on builds that save on flash (micro:bit v1). */
  CRC32?(data: string | number[] | Uint8Array | ArrayBuffer): number;
  /** Seeds Math.random. */
  srand(seed: number): void;
  /** A 32-bit random number of the hardware, signed. */
  hwRand(): number;
  setConsole?(serial: string | Serial | null, options?: { force?: boolean }): void;
  /** Returns the flags set since the last call, and clears them. */
  getErrorFlags(): ErrorFlag[];
  on(event: "init", listener: () => void): void;
  on(event: "kill", listener: () => void): void;
  on(event: "errorFlag", listener: (flags: ErrorFlag[]) => void): void;
  /** Writes `.bootcde`, which runs at power-up and at load(). */
  setBootCode(code?: string, alwaysExecute?: boolean): void;
  enableWatchdog?(seconds: number, automatic?: boolean): void;
  kickWatchdog?(): void;
  reboot?(): void;
}

interface EspruinoProcess {
  memory(garbageCollect?: boolean): {
    free: number;
    usage: number;
    total: number;
    history: number;
    gc?: number;
    blocksize: number;
  };
  readonly env: {
    VERSION: string;
    BOARD: string;
    SERIAL?: string;
    RAM?: number;
    FLASH?: number;
    CONSOLE?: string;
    [key: string]: unknown;
  };
  readonly version: string;
  on(event: "uncaughtException", listener: (error: unknown) => void): void;
}

interface WatchEvent {
  state: boolean;
  /** Seconds, as of getTime(). */
  time: number;
  lastTime: number;
  pin: Pin;
}

declare var E: EspruinoE;
declare var process: EspruinoProcess;
declare var USB: USBSerial | undefined;
declare var Bluetooth: USBSerial | undefined;
declare var Serial1: Serial | undefined;
declare var Serial2: Serial | undefined;
declare var Serial3: Serial | undefined;
declare var Serial4: Serial | undefined;
declare var Serial5: Serial | undefined;
declare var Serial6: Serial | undefined;
declare var LED: Pin | undefined;
declare var LED1: Pin | undefined;
declare var LED2: Pin | undefined;
declare var LED3: Pin | undefined;
declare var BTN: Pin | undefined;
declare var BTN1: Pin | undefined;
declare var BTN2: Pin | undefined;
declare var BTN3: Pin | undefined;
declare var BTN4: Pin | undefined;
/** The global object: also holds the pins by name, as global["D5"]. */
declare var global: Record<string, unknown>;

declare var Pin: { new (name: string | number): Pin };

declare module "Storage" {
  const storage: EspruinoFlash;
  export = storage;
}
declare function require(module: "Storage"): EspruinoFlash;

declare function setTimeout(callback: (...args: never[]) => void, ms: number, ...args: unknown[]): number;
declare function setInterval(callback: (...args: never[]) => void, ms: number, ...args: unknown[]): number;
/** Without an id it clears ALL timers. */
declare function clearTimeout(id: number): void;
/** Without an id it clears ALL timers. */
declare function clearInterval(id: number): void;
declare function changeInterval(id: number, ms: number): void;

declare function setWatch(
  callback: (event: WatchEvent) => void,
  pin: Pin,
  options?: { repeat?: boolean; edge?: "rising" | "falling" | "both"; debounce?: number; irq?: boolean },
): number;
/** Without an id it clears ALL watches. */
declare function clearWatch(id: number): void;

declare function pinMode(pin: Pin, mode: PinMode, automatic?: boolean): void;
declare function digitalWrite(pin: Pin, value: boolean | number): void;
declare function digitalRead(pin: Pin): number;
/** @param value 0 to 1 */
declare function analogWrite(pin: Pin, value: number, options?: { freq?: number; soft?: boolean }): void;
/** @returns 0 to 1 */
declare function analogRead(pin: Pin): number;

/** Seconds since 1970 or since power-up, with a fraction. */
declare function getTime(): number;
/** The chip's own number, as text; the same on every Linux process. */
declare function getSerial(): string;
declare function print(...values: unknown[]): void;
declare function echo(on: boolean | number): void;
declare function peek32(address: number): number;
declare function load(file?: string): void;
declare function reset(clearFlash?: boolean): void;
declare function dump(): void;
