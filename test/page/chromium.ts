/** One browser for the tests of a file, and the page in it, opened from a folder as a person would. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import { storyTexts } from "../../src/cli/serve-page.ts";
import { buildPage } from "../../src/page/build.ts";
import { findTool, toolTest } from "../tools.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Defines a test that needs the browser. */
export const pageTest = toolTest(["chromium"]);

let browser: Promise<Browser> | undefined;
let folder: string | undefined;
const faults: string[] = [];

/** A folder for the files of these tests. */
export function testFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), "ringlab-page-"));
  return folder;
}

/** Address of the page as a file. */
export function pageFile(): string {
  const path = join(testFolder(), "ringlab.html");
  writeFileSync(path, buildPage({ stories: storyTexts() }));
  return pathToFileURL(path).href;
}

/** Opens an address in a page of its own; what goes wrong in its program fails the test at its end. */
export async function openPage(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath: findTool("chromium") as string, args: FLAGS });
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // A server that is gone is what some of these tests are about.
    if (message.type() === "error" && !message.text().startsWith("Failed to load"))
      faults.push(message.text());
  });
  await page.goto(address);
  return page;
}

/** Moves time, in seconds of the run, and stops there. */
export async function moveTo(page: Page, seconds: number): Promise<void> {
  const slider = page.getByLabel("Moment of the run");
  await expect.poll(async () => Number(await slider.getAttribute("max"))).toBeGreaterThan(1);
  await slider.fill(String(Math.round(seconds * 1e6)));
}

/** What goes on with the page's program is no fault. */
export function expectNoFaults(): void {
  expect(faults.splice(0)).toEqual([]);
}

afterAll(async () => {
  await (await browser)?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});
