import zlib from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32 } from "../../firmware/crc32.js";

test('CRC-32 of "123456789" is CBF43926 (the published check), as the firmware and as zlib compute it', () => {
  expect(crc32("123456789").toString(16)).toBe("cbf43926");
  expect(zlib.crc32("123456789").toString(16)).toBe("cbf43926");
});

test("is unsigned, and 0 for no bytes", () => {
  expect(crc32("")).toBe(0);
  expect(crc32("a")).toBe(0xe8b7be43);
});

test("agrees with zlib on any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(crc32(Buffer.from(bytes).toString("latin1"))).toBe(zlib.crc32(bytes));
    }),
  );
});
