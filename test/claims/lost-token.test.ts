/**
 * A token that is lost is replaced, once.
 * Sources: G. Le Lann, "Distributed systems: towards a formal approach", IFIP Congress 1977: the loss of the token must be
 * found, and end in exactly one new one. IEEE 802.5: the active monitor alone makes it, after a purge that came back.
 * Field reports: a description that says "regenerate when lost" and gives no bound lets slow look like lost; here the bound
 * is the one that check/bounds.ts states.
 */
import { expect, test } from "vitest";
import { isFrameRecord } from "../../src/log/records.ts";
import type { Wiring } from "../../src/simulation/plan.ts";
import { ELECTIONS, FormedRing, oneToken, planOf, range, WIRINGS } from "./ring.ts";

const RINGS = WIRINGS.flatMap((wiring) =>
  ELECTIONS.flatMap((election) => range(2, 6).map((n): [Wiring, string, number] => [wiring, election, n])),
);

/** Rotations after which the token is dropped: before, between and after announcements, of which one comes in ten. */
const MOMENTS = [0, 1, 3, 4.4, 7, 9.5, 23];

/** Drops one token on the link behind a station. @returns what is wrong */
function lose(ring: FormedRing, id: number): string {
  const { sim } = ring;
  const { epoch, id: monitor } = ring.monitor;
  const first = ring.length;
  ring.do(`drop ${id} 1 TOK`);
  ring.to((record) => record.event === "dropped");
  const last = ring.now + Math.ceil(1000 * ring.bound("token lost").ms);
  ring.do("request all");
  sim.runUntil(last);
  const [dropped, ...more] = ring
    .from(first)
    .filter((record) => isFrameRecord(record) && record.event === "dropped");
  const made = ring.events("regenerated", first);
  const lost = ring.events("lost", first);
  if (!dropped || more.length) return "not one frame was dropped";
  if (lost.length !== 1 || lost[0]?.fields.cause !== "probe") return `found lost ${lost.length} times`;
  if (made.length !== 1) return `${made.length} new tokens`;
  if (made[0]?.station !== monitor || Number(made[0].fields.epoch) <= epoch) return "not made by the monitor";
  const late = oneToken(sim) || ring.disagreement();
  if (late) return `at the bound: ${late}`;
  // Nothing follows, and all are served.
  const criticals = ring.plan.ids.length * 1000 * ring.plan.criticalMs;
  sim.runUntil(ring.now + criticals);
  ring.turn(25);
  const signs = (["lost", "regenerated", "stale", "elect", "stepdown"] as const).filter(
    (event) => ring.events(event, first).length !== (event === "lost" || event === "regenerated" ? 1 : 0),
  );
  if (signs.length) return `there is more than was needed: ${signs.join(", ")}`;
  const entered = ring.events("exit", first).length;
  if (entered !== ring.plan.ids.length) return `${entered} stations have been inside`;
  return oneToken(sim) || ring.violation();
}

test.each(RINGS)(
  "a token dropped on any link of a %s ring (%s, %i stations): one new one, made once, within the bound",
  (wiring, election, n) => {
    const ring = new FormedRing(planOf(n, wiring, election));
    for (const id of ring.plan.ids) {
      for (const moment of MOMENTS) {
        ring.turn(moment);
        const wrong = lose(ring, id);
        if (wrong) expect.fail(`${wrong}\n${ring.where()}`);
      }
    }
  },
);

test.each(WIRINGS)(
  "a token lost at any of the first hops of its epoch on a %s ring of 4: the same",
  (wiring) => {
    const ring = new FormedRing(planOf(4, wiring, "bully"));
    for (const hop of range(0, 12)) {
      // The one before is lost, so that the next is a new one, which is dropped at that hop.
      const first = ring.length;
      ring.do(`drop ${ring.monitor.id} 1 TOK`);
      ring.to((record) => record.event === "regenerated");
      const before = ring.length;
      for (let k = 0; k < hop; k++)
        ring.to((record) => isFrameRecord(record) && record.event === "hop" && record.type === "TOK");
      const holder = ring.plan.ids[(ring.sim.positionOf(ring.monitor.id) + hop + 1) % 4] as number;
      expect(ring.events("regenerated", first), ring.where()).toHaveLength(1);
      const wrong = lose(ring, holder);
      if (wrong) expect.fail(`${wrong}\n${ring.where()}`);
      const [dropped] = ring.from(before).filter((record) => record.event === "dropped");
      expect(dropped, ring.where()).toMatchObject({
        type: "TOK",
        from: holder,
        args: [expect.anything(), hop + 2, expect.anything()],
      });
    }
  },
);
