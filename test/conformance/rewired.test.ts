/** Boards of a wired ring become those of a hub without a power cycle: nothing goes over the old wires any more. */
import { expect } from "vitest";
import { espruinoTest, toolTest } from "../tools.ts";
import { emulatedBoards } from "./emulated.ts";
import { interpreterBoards } from "./interpreter.ts";
import { type Boards, onBoards } from "./on-boards.ts";
import { events, hops, type Platform, type Setup } from "./platform.ts";

const LIMIT_MS = 60_000;
const WIRED: Setup = { ids: [1, 2, 3], election: "bully", wiring: "wired" };

async function rewired(make: (setup: Setup) => Promise<Boards>): Promise<void> {
  const boards = await make(WIRED);
  const stays = { ...boards, async stop() {} };
  const forms = (ring: Platform) => ring.until("a ring", () => hops(ring.records, "TOK") > 30);
  try {
    for (const setup of [WIRED, { ...WIRED, wiring: "hub" } as const, WIRED]) {
      const ring = await onBoards(setup, stays);
      try {
        await forms(ring);
        ring.request(2);
        await ring.until("2 leaves", () => events(ring.records, "exit", 2).length > 0);
        if (setup.wiring === "hub") {
          // All that a hub has between its stations is in the host's hands.
          ring.fault("cut all");
          await ring.until("all are bypassed", () => events(ring.records, "bypass").length >= 3);
          const before = hops(ring.records, "TOK");
          await new Promise((resolve) => setTimeout(resolve, 500));
          expect(hops(ring.records, "TOK")).toBe(before);
        }
      } finally {
        await ring.stop();
      }
    }
  } finally {
    await boards.stop();
  }
}

toolTest(["socat"])("emulated boards on ttys", () => rewired(emulatedBoards), LIMIT_MS);
espruinoTest("the interpreter", (binary) => rewired(interpreterBoards(binary)), LIMIT_MS);
