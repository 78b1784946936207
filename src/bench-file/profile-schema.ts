import { z } from "zod";
import { form, line, list, object, schemaKey, whole } from "./schema-parts.ts";

const pin = form(/^[A-Z][0-9]{1,2}$/, 'a pin as Espruino names it, such as "B6" or "D16"');
const uart = form(/^Serial[1-6]$/, 'a UART as Espruino names it, "Serial1" to "Serial6"');
const baud = whole(300, 4_000_000);
const level = z.literal([0, 1]);
const hex = form(/^[0-9a-f]{4}$/, "four hexadecimal digits in lower case");

const serialPins = { rx: pin.optional(), tx: pin.optional(), baud: baud.optional() };

const consoleFact = object({
  device: form(/^(USB|Serial[1-6])$/, '"USB" or a UART').describe("Where the REPL is while a host reads it."),
  ...serialPins,
  fallback: object({ device: uart, ...serialPins })
    .optional()
    .describe("Where the REPL goes while no host reads USB, until the firmware pins it to USB."),
}).describe("The REPL: its device, and pins and baud rate where it is a UART.");

const link = object({ uart, rx: pin, tx: pin, baud }).describe(
  "The UART of the ring in a wired ring: RX from the predecessor, TX to the successor.",
);

/** What is known of a board type. Each of these keys has its source under the same key in `sources`. */
const facts = {
  chip: object({ part: line(40), mhz: whole(1, 1000).optional() }).describe(
    "Microcontroller and clock in MHz.",
  ),
  espruinoBoards: list(form(/^[A-Z0-9_]+$/, "a name in capitals"), 0, 8).describe(
    "Values of process.env.BOARD that mean this board.",
  ),
  variables: whole(1, 65_534).describe("JavaScript variables (jsvars) of the official build."),
  variableBytes: whole(12, 16).describe("Bytes of RAM for one variable."),
  console: consoleFact,
  link: link.optional(),
  wiring: list(z.enum(["hub", "wired"]), 1, 2).describe("The ways to wire a ring of these boards."),
  rxBuffer: whole(1, 65_536).describe("Bytes of the input buffer that all serial devices share."),
  txBuffer: whole(1, 65_536).describe(
    "Places for characters in the output buffer that all serial devices share.",
  ),
  leds: list(object({ name: line(8), pin, active: level }), 0, 3).describe(
    "LEDs in the order of use, with the level that a digitalWrite lights them with.",
  ),
  buttons: list(object({ name: line(8), pin, active: level }), 0, 4).describe(
    "Buttons in the order of use, with the level that digitalRead gives while one is pressed.",
  ),
  savedCode: whole(1, 16_777_216).describe("Bytes of flash for files and boot code."),
  usb: list(object({ vendorId: hex, productId: hex, what: line(60) }), 0, 8).describe(
    "USB ids under which the board, or the bridge chip on it, shows up.",
  ),
  boardMicros: whole(1, 1_000_000).describe("Time a board takes for one frame, in microseconds."),
  tooSmall: line(300).optional().describe("Why the firmware does not fit on this board."),
};

const source = line(400);
const sources = object(
  Object.fromEntries(Object.keys(facts).map((fact) => [fact, source.optional()])) as {
    [Fact in keyof typeof facts]: z.ZodOptional<typeof source>;
  },
).describe("Where each fact comes from. Files without a repository are in github.com/espruino/Espruino.");

/** A board profile as its file says it. The names of the keys are those of `BoardProfile`. */
export const profileSchema = object({
  $schema: schemaKey,
  name: form(/^[a-z0-9]+(-[a-z0-9]+)*$/, "words in lower case joined by -").describe("The name of the file."),
  title: line(60).describe("The board as people call it."),
  ...facts,
  hubOnly: line(300).optional().describe("Why the board cannot be in a wired ring."),
  boardMicrosBasis: z.enum(["measured", "estimate"]).describe("How boardMicros is known."),
  notes: list(line(400), 0, 8).optional().describe("What a person should know who wires or flashes it."),
  sources,
});

/** The facts of one board type. */
export type BoardProfile = z.output<typeof profileSchema>;

/** The keys that need a source. */
export const FACTS = Object.keys(facts) as (keyof typeof facts)[];
