/**
 * What a person sees and presses on a board: LEDs for token, critical section and coordinator, and a button.
 *
 * @typedef {import("../types.d.ts").Station} Station
 * @typedef {{leds?: string[], ledOn?: number, button?: string, buttonDown?: number}} Outlets
 */

/** A press at least so long starts an election; a shorter one asks for the critical section. Seconds. */
const LONG_PRESS = 1;

/**
 * The settings may be those of another board: a pin that this one lacks would throw at every frame.
 * @param {string} name
 */
function pinOf(name) {
  return /** @type {Pin | undefined} */ (global[name]);
}

/**
 * Shows the station's state.
 * @param {Station} s
 * @param {Outlets} outlets
 */
export function show(s, outlets) {
  const leds = outlets.leds;
  if (!leds) return;
  const on = outlets.ledOn === 0 ? 0 : 1;
  for (let i = 0; i < leds.length; i++) {
    const lit = i === 0 ? s.token.held : i === 1 ? s.inside : s.monitor.duty;
    const pin = pinOf(/** @type {string} */ (leds[i]));
    if (pin) digitalWrite(pin, lit ? on : 1 - on);
  }
}

/**
 * Watches the button. The release tells how long the press was.
 * @param {Outlets} outlets
 * @param {(long: boolean) => void} pressed
 * @returns {number} what ends it; 0: there is no button
 */
export function watchButton(outlets, pressed) {
  const pin = outlets.button && pinOf(outlets.button);
  if (!pin) return 0;
  const down = outlets.buttonDown === 0 ? "falling" : "rising";
  let since = 0;
  return setWatch(
    function (e) {
      if (e.state === (down === "rising")) since = e.time;
      else pressed(e.time - since >= LONG_PRESS);
    },
    pin,
    { repeat: true, edge: "both", debounce: 25 },
  );
}
