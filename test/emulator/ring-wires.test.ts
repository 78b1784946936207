import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ringWires } from "../../src/emulator/hardware/ports.ts";

/** Who hears what each station sends: pairs of sender and receiver. */
function heard(wires: ReturnType<typeof ringWires>): [number, number][] {
  const pairs: [number, number][] = [];
  let sender = -1;
  wires.ports.forEach((port, i) => {
    port.onData(() => pairs.push([sender, i]));
  });
  wires.ports.forEach((port, i) => {
    sender = i;
    port.write(Uint8Array.of(i));
  });
  return pairs;
}

describe("the wires of a ring", () => {
  test("join each station that is in to the next that is in, whatever was switched before", () => {
    const switches = fc.array(fc.record({ i: fc.nat(5), open: fc.boolean() }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), switches, (count, list) => {
        const wires = ringWires(count);
        const out = new Set<number>();
        for (const { i, open } of list) {
          if (i >= count) continue;
          wires.bypass(i, open);
          if (open) out.add(i);
          else out.delete(i);
        }
        const inside = Array.from({ length: count }, (_, i) => i).filter((i) => !out.has(i));
        expect(heard(wires)).toEqual(inside.map((from, k) => [from, inside[(k + 1) % inside.length]]));
      }),
    );
  });

  test("a cut wire is out of the ring's way once its station is bypassed", () => {
    const wires = ringWires(3);
    wires.cut(1);
    expect(heard(wires)).toEqual([
      [0, 1],
      [2, 0],
    ]);
    wires.bypass(1, true);
    expect(heard(wires)).toEqual([
      [0, 2],
      [2, 0],
    ]);
  });
});
