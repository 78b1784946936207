import { describe, expect, test } from "vitest";
import { EXHAUSTIVE_CASES, type ExhaustiveCase } from "../../src/check/exhaustive/cases.ts";
import { explore } from "../../src/check/exhaustive/explore.ts";
import type { Step } from "../../src/check/exhaustive/model.ts";
import type { Node } from "../../src/check/exhaustive/node.ts";
import { casesUpTo, exploreOptions, smallRing } from "../../src/host/search/small-ring.ts";
import { type Mutant, mutantOf } from "./mutant.ts";
import { SMALL_MUTATIONS, type SmallMutation } from "./small-mutations.ts";

const ONE_LOSS: ExhaustiveCase = {
  stations: 2,
  election: "bully",
  start: "cold",
  budget: { crashes: 0, restarts: 0, losses: 1, requests: 0 },
};

describe("a small ring", () => {
  const cold = casesUpTo(2).filter((i) => EXHAUSTIVE_CASES[i]?.start === "cold");

  test.each(cold)("of two stations keeps every claim in all its states: case %i", (number) => {
    const soFar: number[] = [];
    const ring = smallRing(number, (states) => soFar.push(states));
    expect(ring).toMatchObject({
      stations: 2,
      start: "cold",
      complete: true,
      stopped: false,
      violation: null,
    });
    // A model in which little can happen would keep every claim too.
    expect(ring.states).toBeGreaterThan(5000);
    expect(soFar.length).toBeGreaterThan(1);
    expect(soFar).toEqual([...soFar].sort((a, b) => a - b));
    expect(soFar.at(-1)).toBeLessThanOrEqual(ring.states);
  });

  test("has more states the more may happen in it", () => {
    const states = (budget: Partial<ExhaustiveCase["budget"]>) => {
      const found = explore(exploreOptions({ ...ONE_LOSS, budget: { ...ONE_LOSS.budget, ...budget } }));
      expect(found).toMatchObject({ complete: true, violation: null });
      expect(found.steps).toBeGreaterThan(found.states);
      return found.states;
    };
    const least = states({ losses: 0 });
    for (const more of [{ losses: 1 }, { losses: 0, crashes: 1 }, { losses: 0, requests: 1 }])
      expect(states(more)).toBeGreaterThan(least);
    expect(states({ crashes: 1 })).toBeGreaterThan(states({}));
    expect(states({ losses: 0, crashes: 1, restarts: 1 })).toBeGreaterThan(states({ losses: 0, crashes: 1 }));
  });

  test("is searched in the same way every time", () => {
    expect(explore(exploreOptions(ONE_LOSS))).toEqual(explore(exploreOptions(ONE_LOSS)));
  });

  test("that has more states than fit is not complete, and nothing is said of what is left", () => {
    const all = explore(exploreOptions(ONE_LOSS)).states;
    for (const mostStates of [1, 10, all - 1]) {
      const cut = explore({ ...exploreOptions(ONE_LOSS), mostStates });
      expect(cut).toMatchObject({ complete: false, violation: null });
      expect(cut.states).toBeGreaterThan(mostStates);
    }
    expect(explore({ ...exploreOptions(ONE_LOSS), mostStates: all })).toMatchObject({ complete: true });
  });
});

/** What goes wrong at the end of each path of so many steps, without a key that makes states one. */
function wrongAfter(model: InstanceType<Mutant["Model"]>, node: Node, steps: number): string[] {
  return model.steps(node).flatMap((step) => {
    const after = model.after(node, step);
    if (model.violation) return [model.violation];
    return steps > 1 ? wrongAfter(model, after, steps - 1) : [];
  });
}

describe("the trace of a violation", () => {
  const unsafe = SMALL_MUTATIONS.filter(({ words }) => words !== "never comes to rest");
  const stuck = SMALL_MUTATIONS.filter(({ words }) => words === "never comes to rest");

  async function found({ mistake, small }: SmallMutation) {
    const mutant = await mutantOf(mistake);
    const options = mutant.exploreOptions(small);
    const { violation } = mutant.explore(options);
    const model = new mutant.Model(options.ids, options.settings);
    const first = options.formed ? model.startFormed(options.budget) : model.start(options.budget);
    /** The step that a line of a trace names. */
    const follow = (node: Node, line: string): Node => {
      const step = model.steps(node).find((s) => line.split(": ")[0] === mutant.describe(s, options.ids));
      expect(step, line).toBeDefined();
      return model.after(node, step as Step);
    };
    return { model, first, follow, text: violation?.text ?? "", trace: violation?.trace ?? [] };
  }

  test.each(unsafe.map((mutation) => [mutation.mistake.name, mutation] as const))(
    "leads there, and no shorter one does: %s",
    async (_name, mutation) => {
      const { model, first, follow, text, trace } = await found(mutation);
      let node = first;
      for (const line of trace) {
        expect(model.violation).toBe("");
        node = follow(node, line);
      }
      expect(model.violation).toBe(text);
      if (trace.length > 1) expect(wrongAfter(model, first, trace.length - 1)).toEqual([]);
    },
  );

  test.each(stuck.map((mutation) => [mutation.mistake.name, mutation] as const))(
    "leads to a state in which the ring can still move: %s",
    async (_name, mutation) => {
      const { model, first, follow, trace } = await found(mutation);
      const last = trace.reduce(follow, first);
      expect(model.violation).toBe("");
      expect(model.steps(last).length).toBeGreaterThan(0);
    },
  );
});
