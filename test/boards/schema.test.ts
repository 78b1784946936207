import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { jsonSchemas } from "../../src/bench-file/json-schema.ts";
import { readyBenches } from "../../src/bench-file/load-bench.ts";
import { BOARDS_FOLDER, shippedProfiles } from "../../src/bench-file/profiles.ts";

const REWRITE =
  "UPDATE_SCHEMAS=1 node_modules/.bin/vitest run --config test/vitest.config.ts test/boards/schema.test.ts";
const update = process.env.UPDATE_SCHEMAS === "1";
const root = fileURLToPath(new URL("../..", import.meta.url));
const made = jsonSchemas([...shippedProfiles().keys()]);

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function committed(name: string): z.ZodType {
  return z.fromJSONSchema(read(join(BOARDS_FOLDER, name)) as Parameters<typeof z.fromJSONSchema>[0]);
}

describe("the JSON Schemas in boards/", () => {
  test.each(Object.keys(made))("%s is what the loader's schema gives", (name) => {
    const path = join(BOARDS_FOLDER, name);
    if (update) {
      writeFileSync(path, `${JSON.stringify(made[name], null, 2)}\n`);
      const biome = join(root, "node_modules", ".bin", "biome");
      execFileSync(biome, ["format", "--config-path=.ci", "--write", path], { cwd: root, stdio: "ignore" });
    }
    expect(read(path), `rewrite it with: ${REWRITE}`).toEqual(made[name]);
  });

  test("take every shipped file, and refuse a misspelt key as an editor would", () => {
    const bench = committed("bench.schema.json");
    for (const path of readyBenches().values()) {
      const value = read(path) as { stations: object[] };
      expect(bench.safeParse(value).success, path).toBe(true);
      value.stations[0] = { ...value.stations[0], sucessor: 1 };
      expect(bench.safeParse(value).success, path).toBe(false);
    }
    const board = committed("board.schema.json");
    for (const name of shippedProfiles().keys()) {
      const value = read(join(BOARDS_FOLDER, `${name}.json`)) as object;
      expect(board.safeParse(value).success, name).toBe(true);
      expect(board.safeParse({ ...value, colour: "red" }).success, name).toBe(false);
    }
  });

  test("offer the names of the boards, and refuse one that is not among them", () => {
    const bench = committed("bench.schema.json");
    const one = (board: string) => ({ title: "t", stations: [{ id: 1, board, port: "emulated" }] });
    expect(bench.safeParse(one("esp32")).success).toBe(true);
    expect(bench.safeParse(one("esp23")).success).toBe(false);
  });
});
