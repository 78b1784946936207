import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  name: string;
  version: string;
};

/** Name and version of this program, as they stand in headers of logs. */
export const PROGRAM = `${manifest.name} ${manifest.version}`;
