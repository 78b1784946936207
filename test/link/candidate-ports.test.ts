import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { whereabouts } from "../../src/link/candidate-ports.ts";
import { portInfo } from "./lab.ts";

describe("where a lost board may be", () => {
  const paths = ["/dev/ttyACM0"];
  const own = portInfo("/dev/ttyACM0", { serialNumber: "48D1", unique: true });

  test("is where its serial number is, alone", () => {
    const listed = ["48D2", "48D1"].map((serialNumber, i) => portInfo(`/dev/ttyACM${i}`, { serialNumber }));
    expect(whereabouts({ paths, known: own, listed, canProbe: true })).toEqual(["/dev/ttyACM1"]);
  });

  test("is for a probe to say when two ports have its serial number now", () => {
    const listed = ["/dev/ttyACM1", "/dev/ttyACM2"].map((path) => portInfo(path, { serialNumber: "48D1" }));
    const found = ["/dev/ttyACM1", "/dev/ttyACM2"];
    expect(whereabouts({ paths, known: own, listed, canProbe: true })).toEqual(found);
    expect(whereabouts({ paths, known: own, listed, canProbe: false })).toEqual([]);
  });

  test("is the path it had when nothing is listed or it never was", () => {
    const listed = [portInfo("/dev/ttyACM5")];
    expect(whereabouts({ paths, known: own, listed: [], canProbe: true })).toEqual(paths);
    expect(whereabouts({ paths, known: undefined, listed, canProbe: true })).toEqual(paths);
  });

  test("is not the path it had when another kind of board is listed there", () => {
    const known = portInfo("/dev/ttyACM0");
    const listed = [portInfo("/dev/ttyACM0", { usbId: "2341:0043", kind: "panel" })];
    expect(whereabouts({ paths, known, listed, canProbe: true })).toEqual([]);
  });

  test("is each port once, also under two names", () => {
    const dir = mkdtempSync(join(tmpdir(), "ringlab-byid-"));
    const byId = join(dir, "by-id");
    symlinkSync("/dev/null", byId);
    const known = portInfo("/dev/null");
    expect(whereabouts({ paths: [byId], known, listed: [known], canProbe: true })).toEqual([byId]);
    rmSync(dir, { recursive: true });
  });
});
