import { quote, UsageError } from "../errors.ts";
import type { BenchFile } from "./bench-schema.ts";
import type { Mistake } from "./explain.ts";
import { portKey, portKind, resolvePort, shownPort } from "./port.ts";
import type { BoardProfile } from "./profile-schema.ts";
import { type Profiles, profileNamed } from "./profiles.ts";
import { entry, successorsOf } from "./ring-order.ts";

/** A station of a bench: everything that its file left open is filled in. */
export interface BenchStation {
  id: number;
  /** Name of the board profile. */
  board: string;
  profile: BoardProfile;
  /** As it is opened; "emulated" or "simulated" where there is none. */
  port: string;
  /** Id of the next station of the ring. */
  successor: number;
}

/** Throws the error of a mistake, with its place in the file. */
type Refuse = (mistake: Mistake) => never;

/** Compares the entries of a bench with one another and with the profiles. */
export function checkStations(
  { stations, wiring, panel }: BenchFile,
  profiles: Profiles,
  folder: string,
  refuse: Refuse,
): BenchStation[] {
  checkIds(stations, refuse);
  const ports = stations.map(({ port }, index) =>
    attempt(`stations[${index}].port`, refuse, () => resolvePort(port, folder)),
  );
  const found = stations.map((station, index) => boardOf(station, index, profiles, refuse));
  checkPorts(stations, ports, refuse);
  if (wiring === "wired") checkWired(stations, found, refuse);
  if (panel) checkPanel(panel, stations, refuse);
  if (panel?.port !== undefined) checkPanelPort(panel.port, ports, folder, refuse);

  const successors = successorsOf(stations);
  if (!Array.isArray(successors)) return refuse(successors);
  return stations.map(({ id }, index) => {
    const profile = found[index] as BoardProfile;
    // -0 is an integer that JSON can write; ids are compared and printed as 0.
    return {
      id: id + 0,
      board: profile.name,
      profile,
      port: ports[index] as string,
      successor: (successors[index] as number) + 0,
    };
  });
}

type Entry = BenchFile["stations"][number];
type Panel = NonNullable<BenchFile["panel"]>;

/** Runs a check that speaks of one value, and puts the value's place before what it says. */
function attempt<T>(path: string, refuse: Refuse, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return refuse({ path, message: `${path}: ${error.message}` });
  }
}

function checkIds(stations: readonly Entry[], refuse: Refuse): void {
  const seen = new Map<number, number>();
  for (const [index, { id }] of stations.entries()) {
    const other = seen.get(id);
    if (other !== undefined) {
      const path = `stations[${index}].id`;
      refuse({
        path,
        message: `stations[${other}] and stations[${index}] both have id ${id}: ids must differ`,
      });
    }
    seen.set(id, index);
  }
}

function boardOf(
  { id, board, port }: Entry,
  index: number,
  profiles: Profiles,
  refuse: Refuse,
): BoardProfile {
  const path = `stations[${index}].board`;
  const kind = portKind(port);
  const virtual = kind === "emulated" || kind === "simulated";
  if (board === undefined && !virtual) {
    return refuse({
      path,
      message: `${path} is missing: name the board on ${shownPort(port)}, such as "espruino-pico"`,
    });
  }
  const profile = attempt(path, refuse, () => profileNamed(board ?? "emulated", profiles));
  if (profile.tooSmall !== undefined) {
    refuse({ path, message: `${entry(index, id)}: ${profile.title} is too small: ${profile.tooSmall}` });
  }
  return profile;
}

function checkPorts(stations: readonly Entry[], ports: readonly string[], refuse: Refuse): void {
  const seen = new Map<string, number>();
  for (const [index, port] of ports.entries()) {
    if (port === "emulated" || port === "simulated") continue;
    const key = portKey(port);
    const other = seen.get(key);
    if (other !== undefined) {
      const [one, two] = [other, index].map((at) => entry(at, (stations[at] as Entry).id));
      const first = ports[other] as string;
      const how =
        first === port
          ? `on port ${shownPort(port)}`
          : `on one port: ${shownPort(first)} and ${shownPort(port)} are both ${key}`;
      refuse({ path: `stations[${index}].port`, message: `${one} and ${two} are ${how}` });
    }
    seen.set(key, index);
  }
}

/** In a wired ring UARTs are joined by wires, or by an emulator that holds all of them. */
function checkWired(stations: readonly Entry[], profiles: readonly BoardProfile[], refuse: Refuse): void {
  const emulated = stations.findIndex(({ port }) => portKind(port) === "emulated");
  for (const [index, { id, port }] of stations.entries()) {
    const me = entry(index, id);
    const profile = profiles[index] as BoardProfile;
    const kind = portKind(port);
    if (kind === "simulated") {
      refuse({
        path: `stations[${index}].port`,
        message: `${me} is simulated and has no UART for a wired ring: use "wiring": "hub"`,
      });
    }
    if (!profile.wiring.includes("wired")) {
      refuse({
        path: `stations[${index}].board`,
        message: `${me}: ${profile.title} cannot be wired, ${profile.hubOnly}: use "wiring": "hub"`,
      });
    }
    if (emulated >= 0 && kind !== "emulated") {
      const other = entry(emulated, (stations[emulated] as Entry).id);
      refuse({
        path: `stations[${index}].port`,
        message: `${other} is emulated and ${me} is on ${shownPort(port)}: no wire joins them, use "wiring": "hub"`,
      });
    }
  }
}

function checkPanel(panel: Panel, stations: readonly Entry[], refuse: Refuse): void {
  const users = new Map<number, string>();
  for (const [id, pins] of Object.entries(panel.stations)) {
    const path = `panel.stations.${id}`;
    if (!stations.some((station) => String(station.id) === id)) {
      const ids = stations.map((station) => station.id).join(", ");
      refuse({ path, message: `${path}: there is no station ${id} in this bench, only ${ids.slice(0, 80)}` });
    }
    for (const [part, pin] of Object.entries(pins)) {
      if (pin === undefined) continue;
      const other = users.get(pin);
      const here = `${path}.${part}`;
      if (other !== undefined) refuse({ path: here, message: `${other} and ${here} are both pin ${pin}` });
      users.set(pin, here);
    }
  }
}

function checkPanelPort(port: string, ports: readonly string[], folder: string, refuse: Refuse): void {
  const path = "panel.port";
  const panelPort = attempt(path, refuse, () => resolvePort(port, folder));
  const kind = portKind(panelPort);
  if (kind === "emulated" || kind === "simulated") return;
  const shared = ports.findIndex((other) => portKey(other) === portKey(panelPort));
  if (shared >= 0) refuse({ path, message: `panel and stations[${shared}] are both on port ${quote(port)}` });
}
