/** One set of scenarios on everything that runs the firmware: the same essential records in the same order, times apart. */
import { describe, expect, test } from "vitest";
import { espruinoTest, toolTest } from "../tools.ts";
import { onEmulated } from "./emulated.ts";
import { onInterpreter } from "./interpreter.ts";
import { onSimulation } from "./on-simulation.ts";
import type { Platform, Setup } from "./platform.ts";
import { type Essence, essence, SCENARIOS, type Scenario } from "./scenarios.ts";

const LIMIT_MS = 60_000;

async function outcome(
  scenario: Scenario,
  wiring: Setup["wiring"],
  make: (setup: Setup) => Promise<Platform>,
): Promise<Essence> {
  const ring = await make({ ...scenario.setup, wiring });
  try {
    await scenario.run(ring);
    expect(ring.violation()).toBeNull();
    return essence(ring.records);
  } finally {
    await ring.stop();
  }
}

for (const scenario of SCENARIOS) {
  for (const wiring of scenario.wirings) {
    // Most of the time is waiting for time limits of the protocols.
    describe.concurrent(`${scenario.name}, ${wiring}`, () => {
      test("simulation: what is expected", async () => {
        expect(await outcome(scenario, wiring, onSimulation)).toEqual(scenario.expected);
      });
      toolTest(["socat"])(
        "emulated boards on ttys: the same",
        async () => {
          expect(await outcome(scenario, wiring, onEmulated)).toEqual(scenario.expected);
        },
        LIMIT_MS,
      );
      espruinoTest(
        "the interpreter: the same",
        async (binary) => {
          expect(await outcome(scenario, wiring, onInterpreter(binary))).toEqual(scenario.expected);
        },
        LIMIT_MS,
      );
    });
  }
}
