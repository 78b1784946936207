import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolTest } from "../../tools.ts";
import { json, ringlab, start } from "../ringlab.ts";

toolTest(["socat"])(
  "blank boards on terminals are flashed at once, keep the ids, and form a ring",
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "ringlab-flash-"));
    const boards = start(["emulate", "--stations", "3", "--blank", "--dir", dir, "--json"]);
    try {
      await boards.shows('"paths"');
      const ports = ["a", "b", "c"].map((name) => join(dir, name)).join(",");
      const flashed = await json("flash", "--ports", ports, "--ids", "4,9,6");
      expect(flashed.errors).toEqual([]);
      expect(flashed.boards).toMatchObject([{ id: 4 }, { id: 9 }, { id: 6 }]);
      expect(await json("run", "--ports", ports, "--duration", "3s")).toMatchObject({
        stations: 3,
        coordinator: 9,
      });
    } finally {
      boards.kill("SIGINT");
      await boards.outcome;
      rmSync(dir, { recursive: true, force: true });
    }
  },
  60_000,
);

test.each([
  [["--ports", "/nowhere/a"], /^ringlab: \/nowhere\/a: no such port\. .*\n$/],
  [["--ports", "/nowhere/a,/nowhere/a"], /^ringlab: --ports: .* are one port\n$/],
  [["--ports", "/nowhere/a,"], /^ringlab: --ports: a port is empty; .*\n$/],
  [["--ports", "/nowhere/a", "--ids", "1,2"], /^ringlab: --ids names 2 stations and --ports 1 ports\n$/],
  [["--ports", "/a,/b", "--ids", "2,2"], /^ringlab: --ids: 2 is there twice\n$/],
  [
    ["--ports", "/a", "--protocols", "bully,raft"],
    /^ringlab: --protocols must be one of bully, ring, .*, not "raft"\n$/,
  ],
] as const)("flash %j ends with 2 and one line", async (args, line) => {
  const { code, stdout, stderr } = await ringlab("flash", ...args);
  expect(stderr).toMatch(line);
  expect(stdout).toBe("");
  expect(code).toBe(2);
});
