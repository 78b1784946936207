import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../../../src/errors.ts";
import { RecordColumns } from "../../../src/log/columns.ts";
import { NdjsonReader } from "../../../src/log/file/ndjson-reader.ts";
import { NdjsonWriter } from "../../../src/log/file/ndjson-writer.ts";
import type { RunRecord } from "../../../src/log/records.ts";
import { addRecord, header, records } from "../arbitrary.ts";

let dir: string;
let file: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "ringlab-log-"));
  file = join(dir, "run.ndjson");
});
afterAll(() => rmSync(dir, { recursive: true }));

function write(list: readonly RunRecord[], block = 1000): void {
  const writer = new NdjsonWriter(file, header);
  const columns = new RecordColumns(4);
  for (const record of list) {
    addRecord(columns, record);
    if (columns.length === block) {
      writer.write(columns);
      columns.clear();
    }
  }
  writer.write(columns);
  writer.close(writer.footer("ok"));
}

function read(): { list: RunRecord[]; reader: NdjsonReader } {
  const reader = new NdjsonReader(file);
  return { list: [...reader.records()], reader };
}

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    const { message } = error as Error;
    expect(message).not.toContain("\n");
    return message;
  }
  throw new Error("not refused");
};

describe("a run's file", () => {
  it("gives back every record that was written", () => {
    fc.assert(
      fc.property(records(), fc.integer({ min: 1, max: 20 }), (list, block) => {
        write(list, block);
        const { list: back, reader } = read();
        expect(back).toEqual(list);
        expect(reader.header).toEqual(header);
        expect(reader.footer?.records).toBe(list.length);
        expect(reader.warnings()).toEqual([]);
      }),
    );
  });

  it("has a JSON object on every line, with no control character in it but the newline at its end", () => {
    fc.assert(
      fc.property(records(), (list) => {
        write(list);
        const text = readFileSync(file, "utf8");
        expect(text.endsWith("\n")).toBe(true);
        const lines = text.slice(0, -1).split("\n");
        expect(lines).toHaveLength(list.length + 2);
        for (const line of lines) {
          expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
          expect(JSON.parse(line)).toBeTypeOf("object");
        }
      }),
    );
  });

  it("says a hop in one flat line", () => {
    write([
      {
        seq: 0,
        t: 123456,
        event: "hop",
        from: 3,
        to: 4,
        took: 4700,
        type: "TOK",
        src: 3,
        dst: 253,
        args: [258, 912, 57],
        flags: 0,
      },
      {
        seq: 1,
        t: 123460,
        event: "hop",
        from: 3,
        to: 4,
        took: 4700,
        type: "AMP",
        src: 3,
        dst: 255,
        args: [258, 2],
        flags: 0,
      },
      {
        seq: 2,
        t: 123470,
        event: "hop",
        from: 4,
        to: 5,
        took: 4700,
        type: "AMP",
        src: 3,
        dst: 255,
        args: [258, 2],
        flags: 3,
      },
      {
        seq: 3,
        t: 123480,
        event: "dropped",
        from: 4,
        to: 5,
        took: 0,
        type: "BEL",
        src: 1,
        dst: 7,
        args: [9],
        flags: 0,
      },
      { seq: 4, t: 123490, event: "enter", station: 3, board: 77, fields: { epoch: 258, grant: 57 } },
    ]);
    expect(readFileSync(file, "utf8").split("\n").slice(1)).toEqual([
      '{"seq":0,"t":123456,"event":"hop","from":3,"to":4,"took":4700,"type":"TOK","args":[258,912,57]}',
      '{"seq":1,"t":123460,"event":"hop","from":3,"to":4,"took":4700,"type":"AMP","dst":255,"args":[258,2]}',
      '{"seq":2,"t":123470,"event":"hop","from":4,"to":5,"took":4700,"type":"AMP","src":3,"dst":255,"args":[258,2],"flags":3}',
      '{"seq":3,"t":123480,"event":"dropped","from":4,"to":5,"took":0,"type":"BEL","src":1,"dst":7,"args":[9]}',
      '{"seq":4,"t":123490,"event":"enter","station":3,"epoch":258,"grant":57,"board":77}',
      '{"records":5,"counts":{"hop":3,"dropped":1,"enter":1},"verdict":"ok"}',
      "",
    ]);
  });

  it("is on the disk after a flush, so that a kill loses nothing before it", () => {
    const writer = new NdjsonWriter(file, header);
    const columns = new RecordColumns();
    columns.addEvent(1, "request", 2);
    writer.write(columns);
    writer.flush();
    const { list, reader } = read();
    expect(list).toHaveLength(1);
    expect(reader.footer).toBeUndefined();
    expect(reader.warnings()).toHaveLength(1);
    writer.close(writer.footer("ok"));
  });

  it("ends every block with a whole line, lines longer than a block too", () => {
    const ids = Array.from({ length: 30000 }, (_, i) => i);
    const hop = { event: "hop", from: 1, to: 2, took: 3, type: "ELN", src: 1, dst: 253, flags: 0 } as const;
    const list: RunRecord[] = [0, 1, 2].map((seq) => ({ seq, t: seq, ...hop, args: ids }));
    list.push({
      seq: 3,
      t: 4,
      event: "console",
      station: 1,
      fields: { text: "\u20ac\x1b[2J".repeat(30000) },
    });
    write(list);
    expect(read().list).toEqual(list);
  });
});

describe("a file cut at any byte (power loss, kill)", () => {
  it("gives all whole records and one warning", () => {
    const list: RunRecord[] = [
      {
        seq: 0,
        t: 1,
        event: "hop",
        from: 3,
        to: 4,
        took: 4700,
        type: "TOK",
        src: 3,
        dst: 253,
        args: [258, 912, 57],
        flags: 0,
      },
      { seq: 1, t: 2, event: "console", station: 3, fields: { text: "\u20ac\n" } },
      {
        seq: 2,
        t: 3,
        event: "hop",
        from: 3,
        to: 4,
        took: 4700,
        type: "TOK",
        src: 3,
        dst: 253,
        args: [258, 913, 57],
        flags: 0,
      },
    ];
    write(list);
    const whole = readFileSync(file);
    const lineEnds: number[] = [];
    whole.forEach((byte, i) => {
      if (byte === 10) lineEnds.push(i);
    });
    for (let size = whole.length - 2; size > (lineEnds[0] as number); size--) {
      truncateSync(file, size);
      const { list: back, reader } = read();
      // A record is whole when its closing brace is there, with or without the newline.
      const expected = lineEnds.slice(1, 4).filter((end) => end <= size).length;
      expect(back).toEqual(list.slice(0, expected));
      expect(reader.warnings()).toHaveLength(1);
      expect(reader.badLines).toBe(0);
    }
    for (let size = (lineEnds[0] as number) - 1; size >= 0; size--) {
      truncateSync(file, size);
      expect(refusal(read)).toMatch(size === 0 ? /empty/ : /cut in its first line/);
    }
  });

  it("may end in the zeros that a file system leaves behind", () => {
    write([{ seq: 0, t: 1, event: "request", station: 3, fields: {} }]);
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${lines.slice(0, 2).join("\n")}\n${"\0".repeat(4096)}`);
    const { list, reader } = read();
    expect(list).toHaveLength(1);
    expect(reader.warnings()).toHaveLength(1);
  });
});

describe("bad lines", () => {
  const good = '{"seq":0,"t":1,"event":"request","station":3}';
  const lineOf = (line: string) => {
    writeFileSync(file, `${JSON.stringify(header)}\n${good}\n${line}\n`);
    return read();
  };

  it.each([
    ["rubbish", "not JSON"],
    ["[1]", "not a JSON object"],
    ['{"t":2}', "neither a record nor the last line"],
    ['{"seq":1.5,"t":2,"event":"request","station":3}', "no sequence number"],
    ['{"seq":0,"t":2,"event":"request","station":3}', "seq is 0 where 1 is next"],
    ['{"seq":1,"t":"2","event":"request","station":3}', "t is"],
    ['{"seq":1,"t":2,"event":"toString","station":3}', "event is"],
    ['{"seq":1,"t":2,"event":"request"}', "station is nothing"],
    ['{"seq":1,"t":2,"event":"enter","station":3,"epoch":[]}', "epoch is"],
    ['{"seq":1,"t":2,"event":"enter","station":3,"epoch":1e999}', "epoch is"],
    ['{"seq":1,"t":2,"event":"hop","from":3,"to":-2,"took":1,"type":"TOK","args":[1]}', "to is"],
    ['{"seq":1,"t":2,"event":"hop","from":3,"to":4,"took":-1,"type":"TOK","args":[1]}', "took is"],
    ['{"seq":1,"t":2,"event":"hop","from":3,"to":4,"took":4294967296,"type":"TOK","args":[1]}', "took is"],
    ['{"seq":1,"t":2,"event":"hop","from":3,"to":4,"took":1,"type":"T\\u001b","args":[1]}', "type is"],
    ['{"seq":1,"t":2,"event":"hop","from":3,"to":4,"took":1,"type":"TOK","args":[1,"a"]}', "args are"],
    ['{"seq":1,"t":2,"event":"hop","from":3,"to":4,"took":1,"type":"TOK","args":[-1]}', "args are"],
    ['{"seq":1,"t":2,"event":"hop","from":3,"to":4,"took":1,"type":"TOK","args":[1],"flags":4}', "flags are"],
  ])("%s is left out, counted and named with its line number", (line, why) => {
    const { list, reader } = lineOf(line);
    expect(list).toHaveLength(1);
    expect(reader.badLines).toBe(1);
    expect(reader.named[0]).toContain("line 3, ");
    expect(reader.named[0]).toContain(why);
  });

  it("leave the records around them in order, with their own sequence numbers", () => {
    const hop = (seq: number) =>
      `{"seq":${seq},"t":${seq},"event":"hop","from":1,"to":2,"took":1,"type":"TOK","args":[1,${seq},0]}`;
    const lines = [JSON.stringify(header), hop(0), hop(1), "x", hop(3), "", hop(4), hop(2), hop(5)];
    writeFileSync(file, `${lines.join("\r\n")}\r\n`);
    const { list, reader } = read();
    expect(list.map((record) => record.seq)).toEqual([0, 1, 3, 4, 5]);
    expect(reader.badLines).toBe(2);
    expect(reader.missing).toBe(1);
    expect(reader.count).toBe(5);
  });

  it("with a wrong sequence number do not spoil the lines behind them", () => {
    const line = (seq: number) => `{"seq":${seq},"t":5,"event":"request","station":3}`;
    writeFileSync(file, `${[JSON.stringify(header), line(0), line(17), line(2), line(3)].join("\n")}\n`);
    const { list, reader } = read();
    expect(list.map((record) => record.seq)).toEqual([0, 2, 3]);
    expect(reader.named).toEqual(["line 3, its seq is 17 where 1 is next"]);
  });

  it("never stop the reader or bring in what was not there, whatever the bytes", () => {
    fc.assert(
      fc.property(
        records(10),
        fc.uint8Array({ minLength: 1, maxLength: 30 }),
        fc.nat(),
        (list, junk, place) => {
          write(list);
          const whole = readFileSync(file);
          const start = whole.indexOf(10) + 1;
          const at = start + (place % (whole.length - start));
          writeFileSync(file, Buffer.concat([whole.subarray(0, at), junk, whole.subarray(at)]));
          const { list: back, reader } = read();
          // Bytes in the middle of a line spoil that line, and at most turn one of its texts or numbers into another.
          const same = back.filter((record) =>
            list.some((r) => JSON.stringify(r) === JSON.stringify(record)),
          );
          expect(back.length - same.length).toBeLessThanOrEqual(1);
          expect(same.length).toBeGreaterThanOrEqual(list.length - 1);
          for (const line of reader.warnings()) expect(line).not.toContain("\x1b");
        },
      ),
    );
  });

  it("that never end are passed over without being kept", () => {
    const huge = `{"seq":1,"text":"${"x".repeat(40 * 1024 * 1024)}"}`;
    writeFileSync(file, `${JSON.stringify(header)}\n${good}\n${huge}\n${good.replace(":0", ":1")}\n`);
    const { list, reader } = read();
    expect(list.map((record) => record.seq)).toEqual([0, 1]);
    expect(reader.named).toEqual(["line 3, it is too long"]);
  });

  it("say when records are missing although every line is good", () => {
    writeFileSync(file, `${JSON.stringify(header)}\n${good}\n${good.replace(":0", ":9")}\n`);
    const { list, reader } = read();
    expect(list.map((record) => record.seq)).toEqual([0, 9]);
    expect(reader.warnings().join()).toContain("8 records are missing");
  });
});

describe("files that cannot be read or written end in one line", () => {
  it("for reading: missing, a folder, no log, a later version", () => {
    expect(refusal(() => new NdjsonReader(join(dir, "none")))).toMatch(/no such file/);
    expect(refusal(() => new NdjsonReader(dir))).toMatch(/is a folder/);
    writeFileSync(file, "time,from,to\r\n");
    expect(refusal(read)).toMatch(/not a log of a run/);
    writeFileSync(file, Buffer.from([0x0a, 0x0d, 0x0d, 0x0a, 1, 2, 3]));
    expect(refusal(read)).toMatch(/not a log of a run/);
    writeFileSync(file, '{"schema":1,"program":"x"}\n');
    expect(refusal(read)).toMatch(/its kind is nothing/);
    writeFileSync(file, `${JSON.stringify({ ...header, schema: 2, kind: 4 })}\n`);
    expect(refusal(read)).toMatch(/later version \(schema 2, this program reads 1\)/);
    expect(refusal(() => new NdjsonReader("/dev/zero"))).toMatch(/its first line is too long/);
  });

  it("for writing: a folder, a missing folder, a file in place of a folder, a full disk", () => {
    mkdirSync(join(dir, "sub"), { recursive: true });
    expect(refusal(() => new NdjsonWriter(join(dir, "sub"), header))).toMatch(/is a folder/);
    expect(refusal(() => new NdjsonWriter(join(dir, "none", "x"), header))).toMatch(/no such folder/);
    writeFileSync(file, "");
    expect(refusal(() => new NdjsonWriter(join(file, "x"), header))).toMatch(/not a folder/);
    expect(refusal(() => new NdjsonWriter("/dev/full", header))).toMatch(/the disk is full/);
  });
});
