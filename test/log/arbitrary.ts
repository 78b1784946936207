/** Random records of every kind, for property tests. */
import fc from "fast-check";
import { RecordColumns } from "../../src/log/columns.ts";
import {
  FRAME_EVENTS,
  type FrameRecord,
  isFrameRecord,
  type RunHeader,
  type RunRecord,
  STATION_FIELDS,
  type StationEvent,
  type StationRecord,
} from "../../src/log/records.ts";

export const header: RunHeader = {
  schema: 1,
  program: "ringlab 0.1.0",
  kind: "simulation",
  seed: 7,
  stations: [1, 2, 3],
  wiring: "hub",
  baud: 115200,
  election: "bully",
};

const id = fc.oneof(fc.integer({ min: 0, max: 250 }), fc.nat({ max: 100000 }));
const time = fc.oneof(fc.nat({ max: 1e9 }), fc.nat({ max: Number.MAX_SAFE_INTEGER }));
const wide = fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 2 ** 32 }), fc.nat({ max: Number.MAX_SAFE_INTEGER }));
const text = fc.oneof(
  fc.constantFrom("probe", "ELECTION", "bad-fcs", ""),
  fc.string({ unit: "binary", maxLength: 40 }),
);

/** As the columns keep them: numbers of any sign and size, texts of any kind. */
const value = fc.oneof(wide, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), text);

const frame: fc.Arbitrary<FrameRecord> = fc
  .record({
    t: time,
    event: fc.oneof({ weight: 9, arbitrary: fc.constant("hop" as const) }, fc.constantFrom(...FRAME_EVENTS)),
    from: id,
    to: id,
    took: fc.nat({ max: 2 ** 32 - 1 }),
    type: fc.constantFrom("TOK", "AMP", "BEL", "ELN", "DAT"),
    src: fc.oneof(fc.constant(-1), id),
    dst: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(253, 255) }, id),
    args: fc.oneof(
      { weight: 3, arbitrary: fc.array(wide, { maxLength: 4 }) },
      fc.array(wide, { minLength: 5, maxLength: 200 }),
      fc.array(text, { minLength: 1, maxLength: 2 }),
    ),
    flags: fc.constantFrom(0, 0, 1, 2, 3),
  })
  .map((f) => ({ seq: 0, ...f, src: f.src < 0 ? f.from : f.src }));

const station: fc.Arbitrary<StationRecord> = fc
  .record({
    t: time,
    event: fc.constantFrom(...(Object.keys(STATION_FIELDS) as StationEvent[])),
    station: fc.oneof(fc.constant(-1), id),
    values: fc.array(fc.option(value, { nil: undefined }), { minLength: 3, maxLength: 3 }),
    board: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined }),
  })
  .map(({ values, board, ...rest }) => {
    const fields: { [name: string]: number | string } = {};
    STATION_FIELDS[rest.event].forEach((name, k) => {
      const v = values[k];
      // JSON has no minus zero.
      if (v !== undefined) fields[name] = Object.is(v, -0) ? 0 : v;
    });
    const record = { seq: 0, ...rest, fields };
    return board === undefined ? record : { ...record, board: board + 0 };
  });

/** Records with their sequence numbers, from 0. */
export const records = (maxLength = 60): fc.Arbitrary<RunRecord[]> =>
  fc
    .array(fc.oneof(frame, station), { maxLength })
    .map((list) => list.map((record, seq) => ({ ...record, seq })));

export function addRecord(columns: RecordColumns, record: RunRecord): void {
  if (isFrameRecord(record)) {
    const { t, event, from, to, took, type, src, dst, args, flags } = record;
    columns.addFrame(t, event, from, to, took, { type, src, dst, args, flags });
    return;
  }
  const [a, b, c] = STATION_FIELDS[record.event].map((name) => record.fields[name]);
  const i = columns.addEvent(record.t, record.event, record.station, a, b, c);
  if (record.board !== undefined) columns.setBoardTime(i, record.board);
}

export function toColumns(list: readonly RunRecord[]): RecordColumns {
  const columns = new RecordColumns(4);
  columns.firstSeq = list[0]?.seq ?? 0;
  for (const record of list) addRecord(columns, record);
  return columns;
}
