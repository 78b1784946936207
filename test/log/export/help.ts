import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Exporter } from "../../../src/log/export/exporter.ts";
import type { RunSource } from "../../../src/log/file/source.ts";
import { isFrameRecord, type RunRecord } from "../../../src/log/records.ts";

/** A folder for the tests of one file, removed behind them. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ringlab-export-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

export function exported(format: Exporter, source: RunSource): Buffer {
  return Buffer.concat([...format.pieces(source)].map((piece) => Buffer.from(piece)));
}

export function exportTo(path: string, format: Exporter, source: RunSource): string {
  writeFileSync(path, exported(format, source));
  return path;
}

export function allRecords(source: RunSource): RunRecord[] {
  const all: RunRecord[] = [];
  for (const columns of source.blocks()) for (let i = 0; i < columns.length; i++) all.push(columns.get(i));
  return all;
}

export const hops = (records: RunRecord[]) =>
  records.filter(isFrameRecord).filter(({ event }) => event === "hop");

/** Runs a real tool. @returns what it writes to stdout */
export function run(tool: string, args: readonly string[]): Buffer {
  return execFileSync(tool, args, {
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 60_000,
  });
}
