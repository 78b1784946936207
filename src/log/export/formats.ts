/** Every format a run can be exported to. */
import { chromeTrace } from "./chrome-trace.ts";
import { csv } from "./csv.ts";
import type { Exporter } from "./exporter.ts";
import { mermaid } from "./mermaid.ts";
import { pcapng } from "./pcapng.ts";
import { shiviz } from "./shiviz.ts";
import { svg } from "./svg.ts";
import { vcd } from "./vcd.ts";
import { ethers, lua } from "./wireshark-files.ts";

export const FORMATS: readonly Exporter[] = [
  pcapng,
  lua,
  ethers,
  vcd,
  shiviz,
  chromeTrace,
  mermaid,
  svg,
  csv,
];
