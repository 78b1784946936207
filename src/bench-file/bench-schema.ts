import { z } from "zod";
import { LEAST_ROTATIONS } from "../../firmware/limits.js";
import { DEFAULT_ELECTION } from "../../firmware/protocols.js";
import { electionNames } from "../protocols/registry.ts";
import { ID_RANGE, MAX_ID } from "./id.ts";
import { form, line, list, object, oneOf, schemaKey, whole } from "./schema-parts.ts";

const ONE_DAY_MS = 86_400_000;
/** Firmata numbers pins from 0 to 127. */
const MAX_PANEL_PIN = 127;
/** A number as JSON writes it, since keys are text. */
const PANEL_KEY = /^(?:0|[1-9][0-9]{0,2})$/;

const id = whole(0, MAX_ID, ID_RANGE);

const station = object({
  id: id.describe("The station's id; the highest one alive becomes coordinator."),
  board: line(60)
    .optional()
    .describe(
      'The board type, a profile in boards/. May be left out where port is "emulated" or "simulated".',
    ),
  port: line(1024).describe(
    'The port of the board\'s console ("/dev/ttyACM0", "COM3", "tcp://host:port"), "emulated" for an emulated board, ' +
      'or "simulated" for a simulated station. A relative path starts at the folder of this file.',
  ),
  successor: id
    .optional()
    .describe("Id of the next station of the ring. Left out at every station: the order of the list."),
});

const limit = whole(0, ONE_DAY_MS).optional();
const limits = object(
  Object.fromEntries(Object.keys(LEAST_ROTATIONS).map((name) => [name, limit])) as {
    [Name in keyof typeof LEAST_ROTATIONS]: typeof limit;
  },
).describe("Time limits in ms that take the place of the computed ones.");

const options = object({
  holdMs: whole(0, ONE_DAY_MS).optional().describe("How long an idle station keeps the token, in ms."),
  leaseMs: whole(0, ONE_DAY_MS)
    .optional()
    .describe("Longest entry before it is given up for lost; 0: no lease."),
  criticalMs: whole(-1, ONE_DAY_MS).optional().describe("How long an entry lasts; -1: until it is released."),
  preemptMs: whole(-1, ONE_DAY_MS)
    .optional()
    .describe("How long a higher id waits before it takes over from a lower coordinator; -1: it never does."),
});

const pin = whole(0, MAX_PANEL_PIN).optional();

const panel = object({
  port: line(1024).optional().describe("The port of the Firmata board. Left out: the command line names it."),
  stations: z
    .record(
      form(PANEL_KEY, "the id of a station"),
      object({
        led: pin.describe(
          "Pin of an LED: solid while the station holds the token, blinking inside the critical section, dim as coordinator.",
        ),
        button: pin.describe(
          "Pin of a button to ground. Press: ask; hold: start an election; double press: crash and revive.",
        ),
        relay: pin.describe(
          "Pin of a relay that takes the station out of a wired ring while the pin is high.",
        ),
      }),
      { error: "an object" },
    )
    .describe("The pins of each station, by its id."),
});

/** A bench file as it is written. */
export const benchSchema = object({
  $schema: schemaKey,
  title: line(120).describe("What the bench is, in a few words."),
  wiring: z
    .enum(["hub", "wired"])
    .default("hub")
    .describe(
      "hub: the host carries each frame to the successor. wired: the UARTs of the boards form the ring.",
    ),
  election: oneOf(electionNames)
    .default(DEFAULT_ELECTION)
    .describe("The election algorithm.")
    // An editor knows only those of ours.
    .meta({ enum: electionNames() }),
  baud: whole(300, 4_000_000)
    .optional()
    .describe(
      "Baud rate of the ring's lines: consoles on a hub, UART links if wired. Left out: the boards' own.",
    ),
  stations: list(station, 1, MAX_ID + 1).describe("The stations in ring order."),
  limits: limits.optional(),
  options: options.optional(),
  panel: panel
    .optional()
    .describe("A Firmata board beside the ring, with a light, a button and a relay for each station."),
});

/** A bench file's content: ids and names are well formed, but nothing is compared with anything yet. */
export type BenchFile = z.output<typeof benchSchema>;
