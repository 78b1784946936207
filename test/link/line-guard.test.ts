import { ReadlineParser } from "@serialport/parser-readline";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LineGuard } from "../../src/link/line-guard.ts";
import { LineReader } from "../../src/link/line-reader.ts";

interface Read {
  lines: string[];
  discarded: number;
  heads: string[];
  tail: string | undefined;
}

/** Reads chunks to the end of the stream. */
function read(chunks: readonly Uint8Array[], limit = 256): Read {
  const result: Read = { lines: [], discarded: 0, heads: [], tail: undefined };
  const reader = new LineReader(limit, {
    line: (text) => result.lines.push(text),
    overflow: (count, head) => {
      result.discarded += count;
      if (head !== "") result.heads.push(head);
    },
    truncated: (text) => {
      result.tail = text;
    },
  });
  for (const chunk of chunks) reader.push(chunk, 0);
  reader.end(0);
  return result;
}

/** The same by the definition, on the whole stream at once. */
function expected(bytes: Uint8Array, limit: number): Omit<Read, "heads"> {
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\x11\x13]/g, "");
  const pieces = text.split("\n");
  const last = pieces.pop() ?? "";
  const fits = (piece: string) => piece.replace(/\r$/, "").length <= limit;
  const tooLong = [...pieces, last].filter((piece) => !fits(piece));
  return {
    lines: pieces.filter(fits).map((piece) => piece.replace(/\r$/, "")),
    discarded: tooLong.reduce((sum, piece) => sum + piece.length, 0),
    tail: fits(last) && last !== "" ? last : undefined,
  };
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, i) => bytes.subarray(from, sorted[i] ?? bytes.length));
}

const latin1 = (text: string) => Buffer.from(text, "latin1");

/** Streams rich in line ends, flow control and long runs without any. */
const streams = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom("\n", "\r\n", "\r", "\x11", "\x13", "\0", "\xff", "$TOK,3,253*8A3F10C2\n"),
      },
      {
        weight: 4,
        arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
      },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((n) => "x".repeat(n)) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => latin1(parts.join("")));

describe("lines of a byte stream", () => {
  test("are the same however it is cut (serialport: a chunk is not a line)", () => {
    fc.assert(
      fc.property(streams, fc.array(fc.nat()), fc.integer({ min: 1, max: 20 }), (bytes, places, limit) => {
        const { heads: _, ...got } = read(cut(bytes, places), limit);
        expect(got).toEqual(expected(bytes, limit));
      }),
      { numRuns: 2000 },
    );
  });

  test("are the same byte by byte", () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 20 }), (bytes, limit) => {
        const { heads: _, ...got } = read(
          [...bytes].map((byte) => Uint8Array.of(byte)),
          limit,
        );
        expect(got).toEqual(expected(bytes, limit));
      }),
    );
  });

  test("come within the push of their newline, with its time", () => {
    const at: number[] = [];
    const reader = new LineReader(256, { line: (_, time) => at.push(time), overflow() {}, truncated() {} });
    reader.push(latin1("a\nb\nc"), 7);
    expect(at).toEqual([7, 7]);
    reader.push(latin1("\n"), 9);
    expect(at).toEqual([7, 7, 9]);
  });

  test("lose one carriage return before the newline and no other", () => {
    expect(read([latin1("a\r\nb\r\r\nc\rd\n\re\n")]).lines).toEqual(["a", "b\r", "c\rd", "\re"]);
  });

  test("are empty where two newlines meet", () => {
    expect(read([latin1("\n\r\na\n\n")]).lines).toEqual(["", "", "a", ""]);
  });

  test("have one character for each byte value but the four that end or pause a line", () => {
    for (let byte = 0; byte < 256; byte++) {
      if ([0x0a, 0x11, 0x13].includes(byte)) continue;
      const line = `<${String.fromCharCode(byte)}>`;
      expect(read([latin1(`${line}\n`)]).lines).toEqual([line]);
    }
  });

  test("are without XON and XOFF, wherever those fall", () => {
    expect(read([latin1("\x13$TO\x11K\x13\r\x11\n\x11")])).toMatchObject({
      lines: ["$TOK"],
      tail: undefined,
    });
  });

  test("after noise: at most the first is lost", () => {
    const noise = fc
      .uint8Array({ minLength: 1, maxLength: 300 })
      .map((bytes) => bytes.filter((byte) => byte !== 10));
    fc.assert(
      fc.property(noise, (bytes) => {
        expect(read([bytes, latin1("$A\n"), latin1("$B\n")]).lines.at(-1)).toBe("$B");
      }),
    );
  });
});

describe("a line over the limit", () => {
  test.each([
    ["of the limit", 256, "\n", 1],
    ["of the limit and a carriage return", 256, "\r\n", 1],
    ["one longer", 257, "\n", 0],
    ["one longer and a carriage return", 257, "\r\n", 0],
  ])("%s", (_, length, end, lines) => {
    expect(read([latin1("x".repeat(length) + end)]).lines).toHaveLength(lines);
  });

  test("is discarded whole, counted, and the next line is read", () => {
    const { lines, discarded, heads } = read([
      latin1("before\n"),
      latin1("x".repeat(1000)),
      latin1("yy\nnext\n"),
    ]);
    expect(lines).toEqual(["before", "next"]);
    expect(discarded).toBe(1002);
    expect(heads).toEqual(["x".repeat(64)]);
  });

  test("that never ends leaves no tail to report, and its bytes are counted as they come", () => {
    const counts: number[] = [];
    const guard = new LineGuard(10, { lines() {}, overflow: (count) => counts.push(count) });
    guard.push(latin1("123456789012345"));
    guard.push(latin1("abc"));
    expect(counts).toEqual([15, 3]);
    expect(guard.end()).toBe("");
  });

  test.each([0, -1, 1.5, Number.NaN])("needs a limit that is a whole number, not %s", (limit) => {
    expect(() => new LineGuard(limit, { lines() {}, overflow() {} })).toThrow(/line limit .*whole number/);
  });
});

describe("the end of a stream", () => {
  test("in the middle of a line: the tail is reported as truncated, never as a line", () => {
    expect(read([latin1("$A\r\n$TOK,1,2")])).toMatchObject({ lines: ["$A"], tail: "$TOK,1,2" });
  });

  test("between a carriage return and its newline: still not a line", () => {
    expect(read([latin1("$A\r")])).toMatchObject({ lines: [], tail: "$A\r" });
  });

  test("after a newline: nothing is truncated", () => {
    expect(read([latin1("$A\n")])).toMatchObject({ lines: ["$A"], tail: undefined });
  });
});

describe("1 MB without a newline", () => {
  afterEach(() => vi.restoreAllMocks());

  /** Bytes that are copied to join buffers, which is what grows with the square of the input. */
  function copiedBytes(feed: () => void): number {
    const concat = vi.spyOn(Buffer, "concat");
    feed();
    return concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0);
  }

  const CHUNK = Buffer.alloc(4096, "x");
  const CHUNKS = 256;

  test("is copied over and over by the parser alone", () => {
    const parser = new ReadlineParser({ delimiter: "\n", readableObjectMode: true });
    const copied = copiedBytes(() => {
      for (let i = 0; i < CHUNKS; i++) parser.write(CHUNK);
    });
    expect(copied).toBe((4096 * CHUNKS * (CHUNKS + 1)) / 2);
  });

  test("costs the parser nothing behind the guard, and the next line is read", () => {
    const lines: string[] = [];
    const reader = new LineReader(256, { line: (text) => lines.push(text), overflow() {}, truncated() {} });
    const copied = copiedBytes(() => {
      for (let i = 0; i < CHUNKS; i++) reader.push(CHUNK, 0);
      reader.push(latin1("\nnext\n"), 0);
    });
    expect(lines).toEqual(["next"]);
    expect(copied).toBe("next\n".length);
  });

  test("costs what the lines cost when it comes in small chunks: each byte is kept once at most", () => {
    const guard = new LineGuard(256, { lines() {}, overflow() {} });
    let most = 0;
    for (let i = 0; i < 100_000; i++) {
      guard.push(Uint8Array.of(0x78));
      most = Math.max(most, guard.held);
    }
    expect(most).toBe(256);
    expect(guard.held).toBe(0);
  });
});
