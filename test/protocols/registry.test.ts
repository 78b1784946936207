import { describe, expect, test } from "vitest";
import type { Protocol } from "../../firmware/types.d.ts";
import { checkProtocol, faultOfFrame } from "../../src/protocols/check-protocol.ts";
import { electionFrames, fieldsOf } from "../../src/protocols/frames.ts";
import {
  addProtocol,
  allProtocols,
  circulates,
  electionNames,
  mutexNames,
  protocolNamed,
  traitsOf,
} from "../../src/protocols/registry.ts";

const nothing = () => {};

/** A mutual exclusion in which nobody ever enters. */
function never(changes: Partial<Protocol> = {}): Protocol {
  return {
    name: "never",
    frames: { XNO: { args: 1, fields: ["why"], handle: nothing } },
    timers: {},
    mutex: { request: nothing, release: nothing },
    ...changes,
  };
}

describe("our own protocols", () => {
  test.each(allProtocols())("$name names each argument of its frames", ({ frames }) => {
    for (const [type, entry] of Object.entries(frames)) {
      expect(`${type}: ${faultOfFrame(entry)}`).toBe(`${type}: undefined`);
    }
  });

  test("share no type of frame and no timer", () => {
    for (const keys of [({ frames }: Protocol) => frames, ({ timers }: Protocol) => timers]) {
      const all = allProtocols().flatMap((protocol) => Object.keys(keys(protocol)));
      expect(all.filter((key, i) => all.indexOf(key) !== i)).toEqual([]);
    }
  });

  test.each(mutexNames())(
    "%s says what its fence is, and whom a station waits for or where the token is",
    (name) => {
      const { fence, waits, token } = traitsOf(name);
      expect(fence).toHaveLength(2);
      expect(waits ?? token).toBeDefined();
      if (token) expect(protocolNamed(name)?.frames).toHaveProperty(token.type);
    },
  );

  test.each(electionNames())("%s tells the exhaustive search of small rings what counts", (name) => {
    const { search } = traitsOf(name);
    for (const timer of Object.keys(search?.mayEnd ?? { none: 0 })) {
      expect(protocolNamed(name)?.timers).toHaveProperty(timer);
    }
  });

  test("one token goes round, and the frames of elections are those of their files", () => {
    expect(mutexNames().filter(circulates)).toHaveLength(1);
    expect(electionFrames()).toEqual(["BEL", "BOK", "BCO", "ELN", "CRD", "CHE", "CHD"]);
  });
});

describe("a protocol that is added", () => {
  const refusal = (changes: Partial<Protocol>) => () => checkProtocol(never(changes), allProtocols());
  const frame = { args: 1, fields: ["why"], handle: nothing };

  test("is one like any other, once", () => {
    const mine = never();
    addProtocol(mine);
    addProtocol(mine);
    expect(mutexNames().at(-1)).toBe("never");
    expect(mutexNames().filter((name) => name === "never")).toHaveLength(1);
    expect(fieldsOf("XNO")).toEqual(["why"]);
    expect(() => addProtocol(never())).toThrow('protocol "never": there is one of this name already');
  });

  test.each<[string, Partial<Protocol>, string]>([
    ["a name with a blank", { name: "my lock" }, "its name must be of small letters, digits and hyphens"],
    [
      "no duty",
      { name: "a", mutex: undefined as never },
      "it must be a mutual exclusion (mutex) or an election (election)",
    ],
    ["a frame of another", { name: "a", frames: { BEL: frame } }, "frame type BEL is one of bully"],
    ["a frame type of four letters", { name: "a", frames: { LONG: frame } }, "must be three capital letters"],
    [
      "a timer of another",
      { name: "a", frames: {}, timers: { chang: nothing } },
      'timer "chang" is one of chang-roberts',
    ],
    [
      "the station's timer",
      { name: "a", frames: {}, timers: { critical: nothing } },
      "is one of the station",
    ],
    [
      "too few fields",
      { name: "a", frames: { XNA: { ...frame, args: 2 } } },
      "it has 2 arguments, and fields names 1",
    ],
    [
      "no open field",
      { name: "a", frames: { XNA: { ...frame, args: -1 } } },
      'fields must end in a name like "ids..."',
    ],
  ])("is refused with %s", (_, changes, words) => {
    expect(refusal(changes)).toThrow(words);
  });
});
