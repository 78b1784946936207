/** Pins as a program sees them: the objects by name, `digitalWrite` and its like, `setWatch`. */

import type { WatchEvent } from "../hardware/pins.ts";
import { pinNames } from "../hardware/profile.ts";
import type { Callback } from "./events.ts";
import type { Machine } from "./machine.ts";

/** Board time of reading a pin, microseconds: so that a loop that waits for a button does not stand still. */
const readPinUs = 50;
/** Milliseconds for which a built-in button must rest, when the program does not say. */
const buttonDebounceMs = 25;

const edges: Record<string, number> = { rising: 1, falling: -1, both: 0 };

export interface PinGlobals {
  readonly globals: Record<string, unknown>;
  watchFired(event: WatchEvent): boolean;
}

export function createPinGlobals(machine: Machine): PinGlobals {
  const { realm, pins, cpu } = machine;
  const { profile } = machine.options;
  const nameOf = new Map<unknown, string>();
  const objects = new Map<string, object>();

  const resolve = (pin: unknown): string => {
    const name = nameOf.get(pin) ?? (typeof pin === "string" && pins.has(pin) ? pin : undefined);
    if (name === undefined) throw realm.error("Error", "Invalid pin");
    return name;
  };
  const output = (name: string, value: number) => {
    if (!machine.powered) return;
    const tell = pins.write(name, value);
    if (tell) cpu.effect(() => tell(machine.options.clock.now()));
  };
  const read = (name: string): number => {
    cpu.spend(readPinUs);
    return pins.read(name) >= 0.5 ? 1 : 0;
  };
  const pulse = (name: string, value: unknown, ms: unknown) => {
    const level = value ? 1 : 0;
    output(name, level);
    machine.timers.add((() => output(name, 1 - level)) as Callback, Number(ms), [], false, cpu.now());
  };
  const digitalWrite = (target: unknown, value: unknown) => {
    // An array of pins takes the bits of the number, the last pin the lowest.
    if (Array.isArray(target)) {
      target.forEach((pin, i) => {
        output(resolve(pin), (Number(value) >> (target.length - 1 - i)) & 1);
      });
    } else output(resolve(target), value ? 1 : 0);
  };

  const Pin = realm.makeClass("Pin", {
    read(this: unknown) {
      return read(resolve(this));
    },
    set(this: unknown) {
      output(resolve(this), 1);
    },
    reset(this: unknown) {
      output(resolve(this), 0);
    },
    write(this: unknown, value: unknown) {
      output(resolve(this), value ? 1 : 0);
    },
    toggle(this: unknown) {
      const name = resolve(this);
      const next = 1 - read(name);
      output(name, next);
      return Boolean(next);
    },
    pulse(this: unknown, value: unknown, ms: unknown) {
      pulse(resolve(this), value, ms);
    },
    mode(this: unknown, mode: unknown) {
      pins.setMode(resolve(this), String(mode));
    },
    getMode(this: unknown) {
      return pins.mode(resolve(this));
    },
    toString(this: unknown) {
      return resolve(this);
    },
    toJSON(this: unknown) {
      return resolve(this);
    },
  });
  for (const name of pinNames(profile)) {
    const object = new Pin();
    nameOf.set(object, name);
    objects.set(name, object);
  }
  const [firstButton] = profile.buttons;
  const byName = Object.fromEntries(objects);
  if (firstButton !== undefined) byName.BTN = objects.get(firstButton)!;

  const edgeOf = (given: unknown, usual: number): number => {
    if (given === undefined) return usual;
    const edge = typeof given === "number" ? Math.sign(given) : edges[String(given)];
    if (edge === undefined) {
      throw realm.error("TypeError", "'edge' in setWatch should be 1, -1, 0, 'rising', 'falling' or 'both'");
    }
    return edge;
  };
  const setWatch = (callback: unknown, target: unknown, options: unknown) => {
    const pin = resolve(target);
    const isButton = profile.buttons.includes(pin);
    const given =
      typeof options === "object" && options !== null ? (options as Record<string, unknown>) : undefined;
    const edge = edgeOf(given?.edge, isButton ? 1 : 0);
    if (typeof callback !== "function" && typeof callback !== "string") {
      throw realm.error("Error", "Function or String not supplied!");
    }
    const debounceMs = Number(given?.debounce ?? (isButton ? buttonDebounceMs : 0));
    return pins.addWatch({
      pin,
      callback: callback as Callback,
      repeat: Boolean(given ? given.repeat : options),
      edge,
      debounceUs: debounceMs > 0 ? debounceMs * 1000 : 0,
    });
  };
  const clearWatch = (...ids: unknown[]) => {
    if (ids.length === 0) pins.clearWatches();
    else if (ids[0] === undefined) {
      throw realm.error("Error", "clearWatch(undefined) not allowed. Use clearWatch() instead");
    } else if (!pins.removeWatch(ids[0])) throw realm.error("Error", `Unknown Watch ${String(ids[0])}`);
  };

  return {
    globals: {
      ...byName,
      Pin,
      digitalWrite,
      digitalRead: (target: unknown) =>
        Array.isArray(target)
          ? target.reduce((bits: number, pin: unknown) => (bits << 1) | read(resolve(pin)), 0)
          : read(resolve(target)),
      digitalPulse: (pin: unknown, value: unknown, ms: unknown) => pulse(resolve(pin), value, ms),
      analogWrite: (pin: unknown, value: unknown) =>
        output(resolve(pin), Math.min(Math.max(Number(value), 0), 1)),
      analogRead: (pin: unknown) => pins.read(resolve(pin)),
      pinMode: (pin: unknown, mode: unknown) => pins.setMode(resolve(pin), String(mode ?? "auto")),
      getPinMode: (pin: unknown) => pins.mode(resolve(pin)),
      setWatch,
      clearWatch,
    },
    watchFired({ watch, state, timeUs, lastTimeUs }) {
      const seconds = (us: number) => (us - machine.poweredAtUs + machine.timeOffsetUs) / 1e6;
      const event = realm.object({
        state,
        lastTime: lastTimeUs === undefined ? undefined : seconds(lastTimeUs),
        time: seconds(timeUs),
        pin: objects.get(watch.pin),
      });
      return machine.call(watch.callback, undefined, [event], {
        kind: "watch",
        remove: () => pins.removeWatch(watch.id),
      });
    },
  };
}
