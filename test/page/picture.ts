/** Makes the picture of the README anew: `npm run -s picture`. */
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { buildPage } from "../../src/page/build.ts";
import { findTool } from "../tools.ts";

const OUT = fileURLToPath(new URL("picture.png", import.meta.url));
const RING = "stations=5&critical=200ms&seed=1&at=3900ms+request+5&at=4s+crash+5&at=4s+request+2";

const executablePath = findTool("chromium");
if (!executablePath) throw new Error("chromium is not installed: .ci/run installs it");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1200, height: 660 }, colorScheme: "light" });
// An address of its own, so that what stands behind # is that of a page.
await page.route("http://ringlab.invalid/", (route) =>
  route.fulfill({ contentType: "text/html", body: buildPage({ stories: {} }) }),
);
await page.goto(`http://ringlab.invalid/#${RING}`);
await page.getByRole("button", { name: "Station 5" }).waitFor();
await page
  .getByRole("button", { name: "Pause" })
  .or(page.getByRole("button", { name: "Play" }))
  .waitFor();
await page.getByLabel("Moment of the run").fill(process.argv[2] ?? "6150000");
await page.waitForTimeout(300);
await page.evaluate("document.activeElement.blur()");
await page.screenshot({ path: OUT });
await browser.close();
process.stdout.write(`wrote ${OUT}\n`);
