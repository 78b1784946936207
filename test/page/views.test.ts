/** Views of the page: messages as in the textbook, figures, both themes and widths without a fault of accessibility. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, describe, expect } from "vitest";
import { expectNoFaults, moveTo, openPage, pageFile, pageTest } from "./chromium.ts";

afterEach(expectNoFaults);

const BULLY = "#stations=7&preempt=never&duration=8s&at=4s+crash+7&at=4100ms+elect+3";

/** Where pictures of the views are left to be looked at; nowhere where it is not set. */
const PICTURES = process.env.PAGE_PICTURES;

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

describe("the messages of Bully with 7 stations and 7 dead, as 3 notices", () => {
  pageTest("are exactly 10 + 6 + 5 arrows, and each tells its frame", async () => {
    const page = await openPage(pageFile() + BULLY);
    await moveTo(page, 4.25);
    await page.getByRole("tab", { name: "Messages" }).click();
    await page.getByText("10 ELECTION, 6 OK, 5 COORDINATOR").waitFor();
    const diagram = page.getByRole("img", { name: "Diagram of stations over time" });
    await diagram.focus();
    await page.keyboard.press("ArrowRight");
    const details = page.getByRole("complementary", { name: "The arrow" });
    await details.getByText("sends ELECTION to 4").waitFor();
    await details.getByText("frame check, CRC-32 of the body").waitFor();
    await details.getByText("Then 4 sends OK to 3").waitFor();
  });

  pageTest("stand beside the textbook's number among the figures", async () => {
    const page = await openPage(pageFile() + BULLY);
    await page.getByRole("tab", { name: "Figures" }).click();
    const row = page.getByRole("row", { name: "10 ELECTION, 6 OK, 5 COORDINATOR" });
    expect((await row.getByRole("cell").allTextContents()).slice(1, 6)).toEqual([
      "3",
      "10 ELECTION, 6 OK, 5 COORDINATOR",
      "21",
      "21",
      "6",
    ]);
  });
});

describe("every view", () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const sizes = [
    { width: 1280, height: 720 },
    { width: 390, height: 844 },
  ];

  async function violations(page: Page): Promise<string[]> {
    const found = await page.evaluate<{ id: string; help: string; nodes: { html: string }[] }[]>(
      `${axe}; axe.run().then(({ violations }) => violations)`,
    );
    return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
  }

  for (const colorScheme of ["light", "dark"] as const) {
    for (const viewport of sizes) {
      pageTest(`has nothing that axe-core finds, ${colorScheme}, ${viewport.width} wide`, async () => {
        const page = await openPage(`${pageFile()}#story=coordinator-crash`, {
          colorScheme,
          viewport,
          // What is under test comes from a test, not from the page.
          bypassCSP: true,
        });
        await moveTo(page, 4.1);
        const found: string[] = [];
        const look = async (name: string) => {
          await picture(page, `${name}-${colorScheme}-${viewport.width}`);
          found.push(...(await violations(page)).map((one) => `${name}: ${one}`));
        };
        await page.getByRole("button", { name: "Station 2" }).click();
        for (const view of ["Ring", "Messages", "Figures"]) {
          await page.getByRole("tab", { name: view, exact: true }).click();
          await look(view);
        }
        await moveTo(page, 7);
        await page.getByRole("tab", { name: "Ring", exact: true }).click();
        for (const view of ["Station", "Script"]) {
          await page.getByRole("tab", { name: view, exact: true }).click();
          await look(view);
        }
        for (const dialog of ["Set up", "Help"]) {
          await page.getByRole("button", { name: dialog, exact: true }).click();
          await page.getByRole("dialog").waitFor();
          await look(dialog);
          await page.keyboard.press("Escape");
        }
        expect(found).toEqual([]);
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect(wide).toBeLessThanOrEqual(viewport.width);
      });
    }
  }
});
