/**
 * The protocols that a board carries beside the core, and which of them its configuration asks for.
 *
 * @typedef {import("../types.d.ts").Protocol} Protocol
 */
import { install, states, uninstall } from "../registry.js";

/**
 * Puts the protocols of a configuration into the tables, and takes out of them what an earlier one has put there.
 * @param {{[name: string]: () => Protocol}} choices
 * @param {any} config
 */
export function choose(choices, config) {
  const settings = config.settings;
  Object.keys(choices).forEach(function (name) {
    const wanted =
      name === settings.election || name === settings.mutex || (name === "beacon" && config.uart);
    const make = choices[name];
    if (!make || !(wanted || states[name])) return;
    if (wanted) install(make());
    else uninstall(make());
  });
}
