/** Files that Wireshark wants beside a capture: our dissector, and names for the addresses. */
import { readFileSync } from "node:fs";
import { allFields } from "../../protocols/frames.ts";
import type { RunSource } from "../file/source.ts";
import type { Exporter } from "./exporter.ts";
import { address } from "./ieee802-5.ts";

export const lua: Exporter = {
  name: "lua",
  ending: ".lua",
  begins: "-- Shows frames and events of a ringlab",
  about: "the Wireshark dissector for these captures: put it into the personal Lua plugins folder",
  *pieces() {
    const script = readFileSync(new URL("ringlab.lua", import.meta.url), "utf8");
    const rows = allFields().map(
      ([type, names]) => `  ${type} = { ${names.map((name) => JSON.stringify(name)).join(", ")} },\n`,
    );
    yield script.replace("local FIELDS = {}", `local FIELDS = {\n${rows.join("")}}`);
  },
};

export const ethers: Exporter = {
  name: "ethers",
  ending: ".ethers",
  begins: "40:00:00:00:",
  about: 'names of the stations for Wireshark: save it as "ethers" in its configuration folder, use -N m',
  *pieces(source: RunSource) {
    for (const id of source.header.stations) yield `${colons(address(id))} station-${id}\n`;
  },
};

function colons(bytes: Buffer): string {
  return (bytes.toString("hex").match(/../g) as string[]).join(":");
}
