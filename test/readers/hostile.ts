/**
 * Input as nobody should send it, for every reader: good input that was cut, doubled, mixed and spiked, and rubbish. A
 * reader takes it or says in one line what is wrong; anything else that it throws is a mistake of ours.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect } from "vitest";
import { UsageError } from "../../src/errors.ts";

/** The same inputs at every run; a failing one is printed by fast-check, made small. */
export const fixed = (numRuns: number) => ({ numRuns, seed: 20_261_203 });

/** Pieces that have broken readers of other programs, or this one. */
const SPIKES = [
  "[".repeat(5000),
  '{"a":'.repeat(5000),
  "]".repeat(300),
  '"\\ud800"',
  "\\udfff",
  "\ud800",
  "\u0000",
  "\u001b]0;x\u0007",
  "\u202e",
  "\ufeff",
  "\r",
  "\n",
  ",",
  "-",
  "1e999",
  "-0",
  "0.1",
  "9007199254740993",
  "9".repeat(400),
  "4294967296",
  "2147483647",
  "null",
  "true",
  "{}",
  '{"toString":1}',
  '"__proto__":{"x":1},',
  '"constructor"',
  "%",
  "%s%n",
  "$TOK,1,253,1,1,1*00000000",
  "*".repeat(50),
  "a".repeat(100_000),
  "$".repeat(3000),
];

type Change = (text: string) => string;

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const spike = fc.oneof(fc.constantFrom(...SPIKES), fc.string({ unit: "binary", maxLength: 12 }));

const change: fc.Arbitrary<Change> = fc
  .tuple(fc.nat(4), place, place, spike)
  .map(([kind, at, length, piece]): Change => {
    return (text) => {
      const from = Math.floor(at * text.length);
      const to = Math.min(text.length, from + Math.floor(length ** 4 * text.length) + 1);
      if (kind === 0) return text.slice(0, from);
      if (kind === 1) return text.slice(0, from) + text.slice(to);
      if (kind === 2) return text.slice(0, to) + text.slice(from);
      if (kind === 3) return text.slice(0, from) + piece + text.slice(from);
      return text.slice(0, from) + piece + text.slice(to);
    };
  });

/** In the place of a value of JSON. */
const jsonSpike: fc.Arbitrary<Change> = fc.tuple(place, spike).map(([at, piece]) => (text: string) => {
  const values = [...text.matchAll(/:\s*("[^"]*"|-?\d+|true|false|null)/g)];
  const hit = values[Math.floor(at * values.length)];
  if (!hit) return text;
  const end = (hit.index as number) + hit[0].length;
  return text.slice(0, end - (hit[1] as string).length) + piece + text.slice(end);
});

/** Good input with a few changes, and sometimes rubbish alone. */
export function damaged(good: readonly string[]): fc.Arbitrary<string> {
  const changed = fc
    .tuple(fc.constantFrom(...good), fc.array(fc.oneof(change, jsonSpike), { maxLength: 4 }))
    .map(([text, changes]) => changes.reduce((all, apply) => apply(all), text));
  return fc.oneof(
    { weight: 9, arbitrary: changed },
    { weight: 1, arbitrary: fc.array(spike, { maxLength: 4 }).map((pieces) => pieces.join("")) },
  );
}

/**
 * Runs a reader.
 * @returns what it gives; undefined where it has refused the input in one good line
 */
export function taken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.message).toMatch(/^[^\p{Cc}]+$/u);
    expect(error.message.length).toBeLessThan(1500);
    return undefined;
  }
}

/** A folder for the files of one test file, removed behind it. @returns writes a text and gives its path */
export function inputs(): (name: string, text: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "ringlab-readers-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
}
