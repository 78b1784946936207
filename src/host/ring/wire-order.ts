/** The order of a ring, from who heard whom. */

/** What one station heard on its UART. */
export interface Heard {
  id: number;
  /** Ids whose HEL it heard. */
  hears: readonly number[];
  /** Bytes came that were no frame. */
  junk: boolean;
}

export interface Wiring {
  /** Ids in ring order, from the lowest; null where they do not form one ring. */
  order: number[] | null;
  /** What is wrong, one line each, with what to try. */
  problems: string[];
}

/** @returns the order of a ring, or what keeps the stations from being one */
export function orderOf(heard: readonly Heard[]): Wiring {
  const problems = heard.flatMap((station) => receiverProblems(station, heard));
  const known = new Set(heard.map(({ id }) => id));
  for (const { id } of heard) {
    const by = heard.filter(({ hears }) => hears.includes(id)).map((station) => station.id);
    if (by.length > 1)
      problems.push(`station ${id} is heard by ${list(by)}: lead its TX to the RX of one of them only`);
  }
  for (const { id, hears } of heard) {
    for (const stranger of hears.filter((from) => !known.has(from)))
      problems.push(
        `station ${id} hears station ${stranger}, which is none of the ports given: add its port`,
      );
  }
  if (problems.length > 0) return { order: null, problems };
  const rings = ringsOf(heard);
  if (rings.length <= 1) return { order: rings[0] ?? [], problems };
  return { order: null, problems: ringProblems(rings) };
}

/** What is wrong at one RX. */
function receiverProblems({ id, hears, junk }: Heard, all: readonly Heard[]): string[] {
  if (hears.length > 1) return [`station ${id} hears ${list(hears)}: only one TX may lead to its RX`];
  if (hears[0] === id && all.length > 1)
    return [`station ${id} hears itself: its TX leads to its own RX, lead it to the next station's`];
  if (hears.length === 1) return [];
  const unheard = all
    .filter((other) => other.id !== id && !all.some(({ hears }) => hears.includes(other.id)))
    .map((other) => other.id);
  if (junk) {
    const whom = unheard.length === 1 ? `station ${unheard[0]}` : "its predecessor";
    return [
      `station ${id} hears bytes but no frame: has ${whom} the same baud rate, and is ground joined to ground?`,
    ];
  }
  if (unheard.length === 0) return [`station ${id} hears nobody: does a TX lead to its RX?`];
  const whose = unheard.length === 1 ? unheard[0] : `one of ${list(unheard)}`;
  return [`station ${id} hears nobody: is TX of ${whose} on its RX?`];
}

/** Every station has one predecessor here and is heard by one, so the stations form rings. */
function ringsOf(heard: readonly Heard[]): number[][] {
  const next = new Map(heard.map(({ id, hears }) => [hears[0] as number, id]));
  const rings: number[][] = [];
  const seen = new Set<number>();
  for (const id of [...next.keys()].sort((a, b) => a - b)) {
    const ring: number[] = [];
    for (let at = id; !seen.has(at); at = next.get(at) as number) {
      seen.add(at);
      ring.push(at);
    }
    if (ring.length) rings.push(ring);
  }
  return rings;
}

function ringProblems(rings: readonly number[][]): string[] {
  const crossed = rings.filter((ring) => ring.length === 2).map(([a, b]) => `${a} and ${b}`);
  const pairs = crossed.map((pair) => `stations ${pair} hear only each other: a crossed pair`);
  const shown = rings.map((ring) => `${ring.join(" → ")} →`).join(" and ");
  const ends = rings.slice(0, 2).map((ring) => ring[0]);
  return [
    ...pairs,
    `${rings.length} rings: ${shown}: swap the wires at the RX of ${list(ends as number[])} to join them`,
  ];
}

function list(ids: readonly number[]): string {
  return ids.length < 2 ? ids.join("") : `${ids.slice(0, -1).join(", ")} and ${ids[ids.length - 1]}`;
}
