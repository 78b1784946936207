/**
 * Makes the page: one HTML file with program, worker, styles and whatever it carries, which needs no other file and no network.
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { plainJson } from "../log/file/json-text.ts";

/** What lies in the file beside the program. */
export interface Cargo {
  /** Script files of stories, by name. */
  stories: { [name: string]: string };
  /** Name of a log that the page gets from its server. */
  served?: string;
  /** The page asks the program that serves it for the records of a ring of boards. */
  live?: boolean;
}

const BROWSER = fileURLToPath(new URL("browser/", import.meta.url));

interface Program {
  main: string;
  worker: string;
  style: string;
}

let made: Program | undefined;

/** @returns program, worker and style of the page, minified */
function program(): Program {
  made ??= { main: bundle("main.tsx"), worker: bundle("worker.ts"), style: bundle("style/page.css") };
  return made;
}

function bundle(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [BROWSER + entry],
    bundle: true,
    minify: true,
    write: false,
    platform: "browser",
    format: "iife",
    target: ["chrome110", "firefox115", "safari16.4"],
    charset: "ascii",
    legalComments: "none",
    tsconfig: `${BROWSER}tsconfig.json`,
    logLevel: "silent",
  });
  return (outputFiles[0]?.text ?? "").trim();
}

/**
 * Nothing is loaded, nothing but these very texts is run, nothing is sent but to the server of the page itself.
 * @param asks the page asks its server for records
 */
export function contentPolicy(asks: boolean): string {
  const { main, style } = program();
  return [
    "default-src 'none'",
    `script-src ${hashOf(main)}`,
    `style-src ${hashOf(style)}`,
    "worker-src blob:",
    "img-src data: blob:",
    `connect-src ${asks ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** The page up to the log that it may carry. */
export function pageHead({ stories, served, live = false }: Cargo): string {
  const { style } = program();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(live || served !== undefined)}">
<title>ringlab</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Ccircle cx='12' cy='12' r='8.5' fill='none' stroke='%23667' stroke-width='3'/%3E%3Ccircle cx='12' cy='4' r='4' fill='%23f2b600'/%3E%3C/svg%3E">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>The page needs JavaScript: it runs the ring itself.</noscript>
<script type="application/json" id="carried">${inert(plainJson({ stories, served, live }))}</script>
`;
}

/** What stands before and behind the text of a carried log, of which each piece goes through `inert`. */
export function logBlock(name: string): { before: string; after: string } {
  const quoted = name.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
  return {
    before: `<script type="application/x-ndjson" id="log" data-name="${quoted}">`,
    after: "</script>\n",
  };
}

/** The rest of the page, behind what it carries. */
export function pageTail(): string {
  const { main, worker } = program();
  for (const text of [main, worker]) {
    if (/<!--|<\/?script/i.test(text))
      throw new Error("the page's program has a tag in it that would end it");
  }
  return `<script type="text/plain" id="worker">${worker}</script>
<script>${main}</script>
</body>
</html>
`;
}

/** JSON in which no tag can begin: it lies in a script element and is never run. */
export function inert(json: string): string {
  return json.replaceAll("<", "\\u003c");
}

export function buildPage(cargo: Cargo): string {
  return pageHead(cargo) + pageTail();
}
