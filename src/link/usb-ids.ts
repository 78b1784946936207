/**
 * What a port is good for here, most likely first: `board` runs Espruino; `bridge` is a USB to serial chip, with an ESP
 * board or a UART tap behind it as a rule; `panel` is an Arduino, so a bench panel with Firmata; `usb` says only that it
 * is on USB; `plain` has no USB id; `boot-loader` is a board that waits for a new interpreter; `other` is no board.
 */
export const PORT_KINDS = ["board", "bridge", "panel", "usb", "plain", "boot-loader", "other"] as const;
export type PortKind = (typeof PORT_KINDS)[number];

export interface UsbEntry {
  kind: PortKind;
  what: string;
}

const board = (what: string): UsbEntry => ({ kind: "board", what });
const bridge = (what: string): UsbEntry => ({ kind: "bridge", what: `${what} USB to serial chip` });
const panel = (what: string): UsbEntry => ({ kind: "panel", what: `Arduino ${what}` });
const bootLoader = (what: string): UsbEntry => ({ kind: "boot-loader", what });

/** USB vendor and product ids, lower-case hex. Sources: the makers' udev rules and boards.txt, and the chips' data. */
export const USB_IDS: ReadonlyMap<string, UsbEntry> = new Map([
  ["0483:5740", board("Espruino Pico/WiFi/Original")],
  ["0483:df11", bootLoader("STM32 in its DFU boot loader")],
  ["0d28:0204", board("micro:bit (DAPLink)")],
  ["1915:520f", board("Espruino on an nRF52840")],
  ["1366:1015", board("Nordic board (J-Link)")],
  ["2e8a:000a", board("Raspberry Pi Pico")],
  ["2e8a:0009", board("Raspberry Pi Pico 2")],
  ["2e8a:0005", board("Raspberry Pi Pico with MicroPython")],
  ["2e8a:0003", bootLoader("Raspberry Pi Pico in its boot loader")],
  ["2e8a:000f", bootLoader("Raspberry Pi Pico 2 in its boot loader")],
  ["303a:1001", board("ESP32-S3/C3")],
  ["10c4:ea60", bridge("CP210x")],
  ["10c4:ea70", bridge("CP2105")],
  ["1a86:7523", bridge("CH340")],
  ["1a86:5523", bridge("CH341")],
  ["1a86:55d3", bridge("CH343")],
  ["1a86:55d4", bridge("CH9102")],
  ["0403:6001", bridge("FT232R")],
  ["0403:6010", bridge("FT2232")],
  ["0403:6011", bridge("FT4232")],
  ["0403:6014", bridge("FT232H")],
  ["0403:6015", bridge("FT-X")],
  ["2341:0043", panel("Uno R3")],
  ["2341:0001", panel("Uno")],
  ["2341:0243", panel("Uno R3")],
  ["2341:006a", panel("Uno")],
  ["2a03:0043", panel("Uno R3")],
  ["2341:0010", panel("Mega 2560")],
  ["2341:0042", panel("Mega 2560 R3")],
  ["2341:8036", panel("Leonardo")],
  ["2a03:8037", panel("Micro")],
]);

/** Serial numbers that a whole series of boards or chips shares. */
export const SHARED_SERIAL_NUMBERS: ReadonlySet<string> = new Set(["00000000001a", "0001", "0", "none"]);
