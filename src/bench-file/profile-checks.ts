import type { Mistake } from "./explain.ts";
import { type BoardProfile, FACTS } from "./profile-schema.ts";

/**
 * The first way in which the facts of a profile contradict one another, or lack a source.
 *
 * @param name what its file is called
 */
export function checkProfile(profile: BoardProfile, name: string): Mistake | undefined {
  if (profile.name !== name) {
    return { path: "name", message: `name is "${profile.name}" but the file is called ${name}.json` };
  }
  return checkSources(profile) ?? checkConsole(profile) ?? checkWiring(profile) ?? checkPins(profile);
}

function checkSources(profile: BoardProfile): Mistake | undefined {
  for (const fact of FACTS) {
    const given = profile[fact] !== undefined;
    if (given && profile.sources[fact] === undefined) {
      return { path: fact, message: `${fact} has no source: say in sources.${fact} where it is from` };
    }
    if (!given && profile.sources[fact] !== undefined) {
      return {
        path: `sources.${fact}`,
        message: `sources.${fact} is the source of nothing: there is no ${fact}`,
      };
    }
  }
  return undefined;
}

function checkConsole({ console }: BoardProfile): Mistake | undefined {
  const { device, rx, tx, baud, fallback } = console;
  const onUart = device !== "USB";
  if (onUart && (rx === undefined || tx === undefined || baud === undefined)) {
    return { path: "console", message: `console is on ${device}: give its rx, tx and baud` };
  }
  if (!onUart && (rx !== undefined || tx !== undefined || baud !== undefined)) {
    return { path: "console", message: "console is on USB, which has no rx, tx or baud: leave them out" };
  }
  if (onUart && fallback !== undefined) {
    return {
      path: "console.fallback",
      message: `console is on ${device}: only a console on USB has a fallback`,
    };
  }
  return undefined;
}

function checkWiring(profile: BoardProfile): Mistake | undefined {
  const { wiring, link, hubOnly, tooSmall } = profile;
  if (!wiring.includes("hub"))
    return { path: "wiring", message: 'wiring lacks "hub": every board can be on a hub' };
  const wired = wiring.includes("wired");
  if (wired && link === undefined)
    return { path: "wiring", message: 'wiring has "wired" but there is no link' };
  if (!wired && link !== undefined)
    return { path: "link", message: 'link is given but wiring lacks "wired"' };
  if (wired && hubOnly !== undefined)
    return { path: "hubOnly", message: 'hubOnly is given but wiring has "wired"' };
  if (!wired && hubOnly === undefined)
    return { path: "wiring", message: "wiring is hub only: say why in hubOnly" };
  if (wired && tooSmall !== undefined)
    return { path: "tooSmall", message: "a board that is too small has no wiring" };
  return undefined;
}

/** A REPL and a ring on one line destroy each other, so the console's pins and the link's must differ. */
function checkPins({ console, link, leds, buttons }: BoardProfile): Mistake | undefined {
  if (link === undefined) return undefined;
  const path = "link";
  if (link.rx === link.tx) return { path, message: `link.rx and link.tx are both pin ${link.rx}` };
  if (link.uart === console.device) return { path, message: `link and console are both on ${link.uart}` };
  const taken = new Map<string | undefined, string>([
    [console.rx, "console.rx"],
    [console.tx, "console.tx"],
    ...[...leds, ...buttons].map(({ name, pin }): [string, string] => [pin, name]),
  ]);
  for (const end of ["rx", "tx"] as const) {
    const other = taken.get(link[end]);
    if (other !== undefined) return { path, message: `link.${end} and ${other} are both pin ${link[end]}` };
  }
  return undefined;
}

/**
 * Whether the link of a board is the UART that its console falls back to. On such a board the REPL talks into the ring
 * whenever no host reads USB, unless the firmware has pinned the console.
 */
export function linkIsFallback({ console, link }: BoardProfile): boolean {
  return link !== undefined && link.uart === console.fallback?.device;
}
