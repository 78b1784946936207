import { portKey } from "../bench-file/port.ts";
import { samePort } from "./open.ts";
import type { PortInfo } from "./ports.ts";

export interface Search {
  /** Paths that the board had. */
  paths: readonly string[];
  /** Its port as it was listed when it was last there, where it was. */
  known: PortInfo | undefined;
  /** What is listed now; empty when the system lists nothing. */
  listed: readonly PortInfo[];
  /** Whether somebody can ask the board itself. */
  canProbe: boolean;
}

/**
 * The paths where a lost board may be, the likeliest first, each port once. A unique USB serial number decides alone. If
 * not, a path that the board had is out when something else is listed there now, and ports of the same USB id elsewhere
 * are worth a probe, which alone can tell boards of one kind apart.
 */
export function whereabouts({ paths, known, listed, canProbe }: Search): string[] {
  if (known?.unique && listed.length > 0) {
    const same = listed.filter((port) => port.serialNumber === known.serialNumber);
    if (same.length <= 1) return same.map((port) => port.path);
    return canProbe ? same.map((port) => port.path) : [];
  }
  const own = paths.filter((path) => {
    const now = listed.find((port) => samePort(port.path, path));
    return !now || !known || isAlike(now, known);
  });
  const elsewhere = known && canProbe ? listed.filter((port) => port.usbId && isAlike(port, known)) : [];
  const all = [...own, ...elsewhere.map((port) => port.path)];
  const seen = new Set<string>();
  return all.filter((path) => {
    const key = portKey(path);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** Whether two listed ports can be one board: nothing that is known of both differs. */
function isAlike(a: PortInfo, b: PortInfo): boolean {
  const same = (x: string | undefined, y: string | undefined) => !x || !y || x === y;
  return same(a.usbId, b.usbId) && same(a.serialNumber, b.serialNumber);
}
