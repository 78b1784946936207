/** What an emulated board has: the plain shape that a JSON board profile is mapped to. */

/** One hardware UART. */
export interface EmulatedUart {
  /** Global name, "Serial1" to "Serial6". */
  readonly name: string;
  /** Bytes of the receive FIFO that sits between the interrupt and the main loop. */
  readonly rxBuffer: number;
  /** Bytes of the transmit FIFO; a write waits when it is full. */
  readonly txBuffer: number;
}

/** A board type as the emulator needs it. */
export interface EmulatedProfile {
  /** Name for people, e.g. "Espruino Pico". */
  readonly name: string;
  /** What `process.env.BOARD` and ENQ report, e.g. "PICO_R1_3". */
  readonly boardId: string;
  /** Where the REPL lives: USB, or the name of a UART for a board without USB. */
  readonly console: "USB" | (string & {});
  /**
   * Where the REPL moves when USB is not read for 2 s: "Serial1" by default, as on the official boards; "USB" where
   * the firmware's default console is USB itself, so that it stays (RP2040).
   */
  readonly fallbackConsole?: string;
  /** Baud of the console when it is a UART. Default 9600. */
  readonly consoleBaud?: number;
  readonly uarts: readonly EmulatedUart[];
  /** Output pins with a lamp, in order: LED1, LED2, ... */
  readonly leds: readonly string[];
  /** Push buttons, in order; the first is also `BTN`. Pressed reads 1. */
  readonly buttons: readonly string[];
  /** Variables (jsvars) in RAM: what `process.memory().total` says. */
  readonly variables: number;
  /** Other pin names of the board. Default: ports A, B and C of an STM32. */
  readonly pins?: readonly string[];
  /** Bytes of flash for `Storage`. */
  readonly storageBytes?: number;
  /** What `process.version` says. */
  readonly version?: string;
  /** Period of the interrupt that turns a Ctrl-C into a stop, microseconds (24-bit SysTick over the core clock). */
  readonly tickUs?: number;
}

/** UART 1 to `count`, all with the same FIFOs: Espruino has one size per board. */
export function uarts(count: number, rxBuffer: number, txBuffer: number): EmulatedUart[] {
  return Array.from({ length: count }, (_, i) => ({ name: `Serial${i + 1}`, rxBuffer, txBuffer }));
}

/**
 * Espruino Pico rev 1.3: STM32F401 at 84 MHz. Source: the board file PICO_R1_3 of the Espruino project
 * (variables, USARTs, 3 pages of 16 kB for saved code) and the FIFO sizes its build computes from the RAM.
 */
export const picoProfile: EmulatedProfile = {
  name: "Espruino Pico",
  boardId: "PICO_R1_3",
  console: "USB",
  uarts: uarts(6, 1024, 128),
  leds: ["LED1", "LED2"],
  buttons: ["BTN1"],
  variables: 5100,
  storageBytes: 48 * 1024,
  tickUs: 199_729,
};

/** Every pin name of a profile, each once. */
export function pinNames(profile: EmulatedProfile): string[] {
  const ports = ["A", "B", "C"].flatMap((port) => Array.from({ length: 16 }, (_, i) => `${port}${i}`));
  return [...new Set([...profile.leds, ...profile.buttons, ...(profile.pins ?? ports)])];
}
