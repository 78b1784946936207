/** Who else has a port open: bytes that another program reads do not come here. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { otherReaders } from "../../src/link/port-access.ts";

test.skipIf(process.platform !== "linux")(
  "another program at the port is named, this one is not",
  async () => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), "ringlab-test-")));
    const path = join(dir, "port");
    writeFileSync(path, "");
    const link = join(dir, "link");
    symlinkSync(path, link);
    expect(otherReaders(link)).toEqual([]);
    const other = spawn("sh", ["-c", 'exec 3<"$0"; echo open; read line', path], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => {
      other.kill();
      rmSync(dir, { recursive: true, force: true });
    });
    await once(other.stdout, "data");
    expect(otherReaders(link)).toEqual([`sh (process ${other.pid})`]);
    expect(otherReaders(join(dir, "none"))).toEqual([]);
  },
);
