/**
 * What a space-time diagram draws as arrows: messages, one from its sender to its receiver as in the textbook, or hops.
 */
import { NEIGHBOUR } from "../../../firmware/frame.js";
import type { RecordColumns } from "../../log/columns.ts";
import { EVENT_CODE, FRAME_EVENTS, type FrameRecord } from "../../log/records.ts";

export interface Arrow {
  /** The textbook's name of a message, or the type of a frame. */
  name: string;
  from: number;
  to: number;
  /** Microseconds; `end` of an arrow that never arrives is where it is last known of. */
  start: number;
  end: number;
  arrived: boolean;
  /** It is drawn again for a message that was sent before. */
  again: boolean;
  /** Records that tell of its beginning and its end; the latter is -1 where it never arrives. */
  first: number;
  last: number;
}

/** How long the arrow of a lost message is drawn, µs, where nothing else says so. */
const LOST_MICROS = 20_000;

/**
 * @param from first record, `to` the record behind the last
 * @returns each message that is sent in these records, in the order of sending
 */
export function messagesIn(columns: RecordColumns, from = 0, to = columns.length): Arrow[] {
  const arrows: Arrow[] = [];
  const open = new Map<string, Arrow[]>();
  for (let i = from; i < columns.length; i++) {
    const code = columns.event[i];
    const station = columns.station[i] as number;
    const t = columns.t[i] as number;
    if (i < to && (code === EVENT_CODE.sent || code === EVENT_CODE.retry)) {
      const name = String(columns.value(i, 0));
      const target = Number(columns.value(i, 1));
      const arrow = {
        name,
        from: station,
        to: target,
        start: t,
        end: t + LOST_MICROS,
        arrived: false,
        again: code === EVENT_CODE.retry,
        first: i,
        last: -1,
      };
      arrows.push(arrow);
      const key = keyOf(station, target, name, columns.value(i, 2));
      const before = open.get(key);
      if (before) before.push(arrow);
      else open.set(key, [arrow]);
    } else if (code === EVENT_CODE.received) {
      const name = String(columns.value(i, 0));
      const sender = Number(columns.value(i, 1));
      const number = columns.value(i, 2);
      const found =
        take(open, keyOf(sender, station, name, number)) ??
        take(open, keyOf(sender, NEIGHBOUR, name, number));
      if (!found) continue;
      Object.assign(found, { to: station, end: t, arrived: true, last: i });
    }
    if (i >= to && open.size === 0) break;
  }
  for (const arrow of arrows) if (arrow.to === NEIGHBOUR) arrow.to = successorAt(columns, arrow);
  return arrows;
}

/** @returns each frame that passes a link, or is lost on it, in the order of arrival */
export function hopsIn(
  columns: RecordColumns,
  from: number,
  to: number,
  wanted: (i: number) => boolean,
): Arrow[] {
  const arrows: Arrow[] = [];
  for (let i = from; i < to; i++) {
    const code = columns.event[i] as number;
    if (code >= FRAME_EVENTS.length || code > EVENT_CODE.corrupted || !wanted(i)) continue;
    const end = columns.t[i] as number;
    const took = columns.took[i] as number;
    arrows.push({
      name: columns.frameTypes[columns.type[i] as number] as string,
      from: columns.station[i] as number,
      to: columns.peer[i] as number,
      start: end - took,
      end: took ? end : end + LOST_MICROS / 4,
      arrived: code === EVENT_CODE.hop,
      again: false,
      first: i,
      last: i,
    });
  }
  return arrows;
}

function keyOf(from: number, to: number, name: string, number: unknown): string {
  return `${from} ${to} ${String(number)} ${name}`;
}

/** The first that was sent arrives first: links are first in, first out. */
function take(open: Map<string, Arrow[]>, key: string): Arrow | undefined {
  const waiting = open.get(key);
  const first = waiting?.shift();
  if (waiting?.length === 0) open.delete(key);
  return first;
}

/** Whom a frame for the successor was meant for: who got the sender's next frame, lost or not. */
function successorAt(columns: RecordColumns, { from, first }: Arrow): number {
  for (let i = first; i < Math.min(columns.length, first + 2000); i++) {
    if ((columns.event[i] as number) <= EVENT_CODE.dropped && columns.station[i] === from)
      return (columns.get(i) as FrameRecord).to;
  }
  return from;
}
