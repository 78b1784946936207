import { expect, describe as group, test } from "vitest";
import { keyOf } from "../../src/check/exhaustive/canonical.ts";
import type { ExhaustiveCase } from "../../src/check/exhaustive/cases.ts";
import { describe, Model, type Step } from "../../src/check/exhaustive/model.ts";
import type { Budget, Node } from "../../src/check/exhaustive/node.ts";
import { exploreOptions } from "../../src/host/search/small-ring.ts";
import { Random } from "../../src/simulation/random.ts";

const key = (node: Node) => {
  const { high, low } = keyOf(node);
  return high * 2 ** 21 + (low >>> 11);
};

/** Everything that may happen next, each with what is wrong then, and the key of the state after it. */
function futureOf(model: Model, node: Node): string {
  const lines = model.steps(node).map((step) => {
    const after = model.after(node, step);
    return `${describe(step, model.ids)}: ${model.violation} ${key(after)}`;
  });
  return lines.join("\n");
}

function ring(small: ExhaustiveCase) {
  const { ids, settings, budget, formed } = exploreOptions(small);
  const model = new Model(ids, settings);
  return { model, first: formed ? model.startFormed(budget) : model.start(budget) };
}

/** Compares each state that has the key of an earlier one with that. */
class Futures {
  /** States whose key was there already. */
  met = 0;
  readonly #model: Model;
  readonly #futures = new Map<number, string>();

  constructor(model: Model) {
    this.#model = model;
  }

  /** @returns whether the key is new */
  take(node: Node): boolean {
    const future = futureOf(this.#model, node);
    const before = this.#futures.get(key(node));
    if (before === undefined) {
      this.#futures.set(key(node), future);
      return true;
    }
    this.met++;
    // toBe on each of tens of thousands would take most of the time.
    if (future !== before) expect(future).toBe(before);
    return false;
  }
}

function small(
  stations: number,
  election: string,
  start: ExhaustiveCase["start"],
  budget: Partial<Budget>,
): [string, ExhaustiveCase] {
  const all = { crashes: 0, restarts: 0, losses: 0, requests: 0, ...budget };
  return [`${stations} stations, ${election}, ${start}`, { stations, election, start, budget: all }];
}

/**
 * Two states with one key are taken for one, and only one of them is followed. That leaves nothing out when the same may
 * happen in both, and leads to states that again have one key (a bisimulation).
 */
group("states with one key have one future", () => {
  test.each([
    small(2, "chang-roberts", "formed", { crashes: 1, restarts: 1, losses: 1 }),
    small(2, "ring", "formed", { crashes: 1, restarts: 1, losses: 1 }),
    small(2, "bully", "formed", { crashes: 1, restarts: 1, losses: 1 }),
    small(2, "ring", "cold", { crashes: 1, losses: 1 }),
    small(3, "chang-roberts", "cold", { losses: 1 }),
  ])("the nearest thousands: %s", (_name, one) => {
    const { model, first } = ring(one);
    const futures = new Futures(model);
    futures.take(first);
    const queue = [first];
    for (let i = 0; i < queue.length && queue.length < 8000; i++) {
      const node = queue[i] as Node;
      for (const step of model.steps(node)) {
        const after = model.after(node, step);
        if (futures.take(after)) queue.push(after);
      }
    }
    expect(futures.met).toBeGreaterThan(2000);
  });

  test.each(
    ["bully", "ring", "chang-roberts"].flatMap((election) => [
      small(2, election, "formed", { crashes: 1, restarts: 1, losses: 1, requests: 2 }),
      small(3, election, "formed", { crashes: 1, losses: 1, requests: 2 }),
      small(3, election, "cold", { losses: 1 }),
      small(4, election, "formed", { crashes: 1, losses: 1 }),
    ]),
  )("far from the start: %s", (_name, one) => {
    const { model, first } = ring(one);
    const futures = new Futures(model);
    for (let seed = 1; seed <= 30; seed++) {
      const random = new Random(seed);
      let node = first;
      for (let i = 0; i < 80; i++) {
        futures.take(node);
        const steps = model.steps(node);
        if (steps.length === 0) break;
        node = model.after(node, random.pick(steps) as Step);
      }
    }
    expect(futures.met).toBeGreaterThan(20);
  });
});

group("the key", () => {
  const [, one] = small(2, "bully", "formed", { crashes: 1, restarts: 1, losses: 1, requests: 1 });
  const { model, first } = ring(one);
  const go = (node: Node, ...lines: string[]) =>
    lines.reduce((n, line) => {
      const step = model.steps(n).find((s) => describe(s, model.ids) === line);
      expect(step, line).toBeDefined();
      return model.after(n, step as Step);
    }, node);

  test("does not count the rotations of the token, nor the probes", () => {
    const rotation = ["the next frame from 2 arrives", "the next frame from 1 arrives"];
    const early = go(first, ...rotation);
    const late = go(early, ...rotation, ...rotation);
    expect(JSON.stringify(late.links)).not.toBe(JSON.stringify(early.links));
    expect(key(late)).toBe(key(early));
    const probed = ["watch runs out at 2", ...[2, 2, 1, 1].map((id) => `the next frame from ${id} arrives`)];
    const once = go(first, ...probed);
    const twice = go(once, ...probed);
    expect(twice.stations[1]?.monitor.probe).toBe((once.stations[1]?.monitor.probe as number) + 1);
    expect(key(twice)).toBe(key(once));
  });

  test("tells apart what may still happen, where the token is, who asks, and who is there", () => {
    const states = [
      first,
      go(first, "the next frame from 2 arrives"),
      go(first, "the next frame from 2 is lost"),
      go(first, "request 1"),
      go(first, "request 2"),
      go(first, "request 1", "the next frame from 2 arrives"),
      go(first, "crash 1"),
      go(first, "crash 2"),
      go(first, "crash 1", "restart 1"),
      go(first, "watch runs out at 2"),
      { ...first, left: { ...first.left, losses: 0 } },
      { ...first, left: { ...first.left, requests: 0 } },
      { ...first, left: { ...first.left, crashes: 0 } },
      { ...first, hostEpoch: first.hostEpoch + 1 },
    ];
    expect(new Set(states.map(key)).size).toBe(states.length);
  });
});
