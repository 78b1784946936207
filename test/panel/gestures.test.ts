import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { fromRest } from "../../src/panel/firmata-board.ts";
import { BOUNCE_MS, DOUBLE_MS, type Gesture, Gestures, HOLD_MS } from "../../src/panel/gestures.ts";

/** Timers that run when a test says so. */
class Time {
  now = 0;
  #due: { at: number; run: () => void }[] = [];
  readonly timers = {
    after: (ms: number, run: () => void) => {
      const entry = { at: this.now + ms, run };
      this.#due.push(entry);
      return () => {
        this.#due = this.#due.filter((one) => one !== entry);
      };
    },
  };

  get waiting(): number {
    return this.#due.length;
  }

  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#due = this.#due.filter((one) => one !== next);
      this.now = next.at;
      next.run();
    }
    this.now = end;
  }
}

describe("one button tells", () => {
  let time: Time;
  let made: Gesture[];
  let gestures: Gestures;

  beforeEach(() => {
    time = new Time();
    made = [];
    gestures = new Gestures((gesture) => made.push(gesture), time.timers);
  });

  const press = (ms: number) => {
    gestures.down();
    time.pass(ms);
    gestures.up();
  };

  test("a press, once no second one can follow", () => {
    press(100);
    time.pass(BOUNCE_MS + DOUBLE_MS - 1);
    expect(made).toEqual([]);
    time.pass(1);
    expect(made).toEqual(["press"]);
  });

  test("a hold, while the button is still down, and no press after it", () => {
    gestures.down();
    time.pass(HOLD_MS);
    expect(made).toEqual(["hold"]);
    time.pass(5000);
    gestures.up();
    time.pass(5000);
    expect(made).toEqual(["hold"]);
  });

  test("a double press at once, and no press with it", () => {
    press(80);
    time.pass(100);
    press(80);
    time.pass(BOUNCE_MS);
    expect(made).toEqual(["double"]);
    time.pass(5000);
    expect(made).toEqual(["double"]);
  });

  test("one press, however its contact bounces, and when both its ends are heard at once", () => {
    for (let i = 0; i < 5; i++) press(1);
    time.pass(5000);
    press(0);
    time.pass(5000);
    expect(made).toEqual(["press", "press"]);
  });

  test("a release without a press is nothing", () => {
    gestures.up();
    time.pass(5000);
    expect(made).toEqual([]);
  });

  test("stopped, it waits for nothing", () => {
    press(10);
    gestures.down();
    gestures.stop();
    expect(time.waiting).toBe(0);
  });

  test("whatever is pressed, each press is in one gesture", () => {
    const presses = fc.array(
      fc.record({
        down: fc.integer({ min: 1, max: 1500 }),
        up: fc.integer({ min: BOUNCE_MS + 1, max: 1500 }),
      }),
    );
    fc.assert(
      fc.property(presses, (list) => {
        made = [];
        gestures = new Gestures((gesture) => made.push(gesture), time.timers);
        for (const { down, up } of list) {
          press(down);
          time.pass(up);
        }
        time.pass(BOUNCE_MS + DOUBLE_MS);
        const count = (gesture: Gesture) => made.filter((one) => one === gesture).length;
        expect(count("hold")).toBe(list.filter(({ down }) => down + BOUNCE_MS >= HOLD_MS).length);
        // A hold swallows the press that waited for a second one.
        const swallowed = list.length - count("press") - 2 * count("double") - count("hold");
        expect(swallowed).toBeGreaterThanOrEqual(0);
        expect(swallowed).toBeLessThanOrEqual(count("hold"));
        expect(time.waiting).toBe(0);
      }),
    );
  });
});

describe("the level of a button's pin", () => {
  const heard = (levels: number[]) => {
    const changes: string[] = [];
    const listen = fromRest((down) => changes.push(down ? "down" : "up"));
    for (const level of levels) listen(level);
    return changes;
  };

  // StandardFirmata reports the pins of a port that are no inputs yet as low.
  test("is heard from its first rest on: a low report from before is no press", () => {
    expect(heard([0, 0, 1, 1])).toEqual([]);
    expect(heard([0, 1, 0, 0, 1])).toEqual(["down", "up"]);
    expect(heard([1, 0, 1])).toEqual(["down", "up"]);
  });
});
