/** The Uno itself; see uno.ts. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { FromUno, ToUno } from "./uno.ts";

const require = createRequire(import.meta.url);
const {
  AVRADC,
  adcConfig,
  AVRIOPort,
  AVRTimer,
  AVRTWI,
  AVRUSART,
  avrInstruction,
  CPU,
  PinState,
  portBConfig,
  portCConfig,
  portDConfig,
  timer0Config,
  twiConfig,
  usart0Config,
} = require("avr8js") as typeof import("avr8js");

const HZ = 16_000_000;
const SLICE_MS = 2;
/** Nobody lives so long in a test. */
const LIFE_MS = 120_000;
/** Registers of timer 2 (ATmega328P data sheet, table 31): pulse width of pin 11, and whether it has pulses. */
const OCR2A = 0xb3;
const TCCR2A = 0xb0;

const hex = require
  .resolve("avrgirl-arduino/package.json")
  .replace(/package\.json$/, "junk/hex/uno/StandardFirmata.cpp.hex");
const cpu = new CPU(programOf(readFileSync(hex, "utf8")));
new AVRTimer(cpu, timer0Config);
new AVRADC(cpu, adcConfig);
new AVRTWI(cpu, twiConfig, HZ);
const usart = new AVRUSART(cpu, usart0Config, HZ);

const say = (message: FromUno) => void process.send?.(message);
const sent: number[] = [];
usart.onByteTransmit = (byte) => sent.push(byte);

const received: number[] = [];
const feed = () => {
  const byte = received[0];
  if (byte !== undefined && !usart.rxBusy && usart.writeByte(byte)) received.shift();
};
usart.onRxComplete = feed;

const ports = [
  { port: new AVRIOPort(cpu, portDConfig), first: 0, count: 8 },
  { port: new AVRIOPort(cpu, portBConfig), first: 8, count: 6 },
  { port: new AVRIOPort(cpu, portCConfig), first: 14, count: 6 },
];
for (const { port, first, count } of ports) {
  const known: (0 | 1 | undefined)[] = [];
  for (let i = 0; i < count; i++) port.setPin(i, true);
  port.addListener(() => {
    for (let i = 0; i < count; i++) {
      const state = port.pinState(i);
      if (state !== PinState.High && state !== PinState.Low) continue;
      const level = state === PinState.High ? 1 : 0;
      if (known[i] !== level) say({ pin: first + i, level });
      known[i] = level;
    }
  });
}

process.on("message", (message: ToUno) => {
  if ("rx" in message) {
    if (received.length < 65_536) received.push(...message.rx);
    return;
  }
  const { pin, level } = message;
  const place = ports.find(({ first, count }) => pin >= first && pin < first + count);
  place?.port.setPin(pin - place.first, level === 1);
});
process.on("disconnect", () => process.exit());
setTimeout(() => process.exit(), LIFE_MS);

let pwm = -1;
let startedAt = performance.now();
const run = () => {
  const end = cpu.cycles + (HZ / 1000) * SLICE_MS;
  while (cpu.cycles < end) {
    avrInstruction(cpu);
    cpu.tick();
    if (received.length) feed();
  }
  if (sent.length) say({ tx: sent.splice(0) });
  const width = (cpu.data[TCCR2A] as number) & 0xc0 ? (cpu.data[OCR2A] as number) : -1;
  if (width !== pwm) {
    pwm = width;
    say({ pwm });
  }
  const ahead = (cpu.cycles / HZ) * 1000 - (performance.now() - startedAt);
  // On a busy computer the Uno is slow, but does not try to catch up.
  if (ahead < -20) startedAt -= ahead;
  if (ahead > 2) setTimeout(run, ahead);
  else setImmediate(run);
};
run();

/** Intel HEX: `:` count, address, type 0 data, bytes, checksum. */
function programOf(text: string): Uint16Array {
  const bytes = new Uint8Array(32_768);
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith(":") || line.slice(7, 9) !== "00") continue;
    const data = Buffer.from(line.slice(9, 9 + Number.parseInt(line.slice(1, 3), 16) * 2), "hex");
    bytes.set(data, Number.parseInt(line.slice(3, 7), 16));
  }
  return new Uint16Array(bytes.buffer);
}
