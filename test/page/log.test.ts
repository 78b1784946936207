/** A log on the page: dropped, carried in the page, served; and text that would do harm shown as text. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect } from "vitest";
import { RecordColumns } from "../../src/log/columns.ts";
import { plainJson } from "../../src/log/file/json-text.ts";
import { recordJson } from "../../src/log/file/lines.ts";
import { memorySource } from "../../src/log/file/source.ts";
import { type RunHeader, SCHEMA, STATION_FIELDS, type StationEvent } from "../../src/log/records.ts";
import { html } from "../../src/page/html.ts";
import { expectNoFaults, moveTo, openPage, pageFile, pageTest, testFolder } from "./chromium.ts";

afterEach(expectNoFaults);

const HOSTILE =
  '<img src=x onerror="document.title=`harmed`"></script><script>document.title="harmed"</script>';

function hostileRun(): { header: RunHeader; columns: RecordColumns } {
  const header: RunHeader = {
    schema: SCHEMA,
    program: HOSTILE,
    kind: "boards",
    stations: [1, 2, 3],
    wiring: "hub",
    baud: 115_200,
    election: HOSTILE,
    plan: { plan: { mutex: HOSTILE } },
  };
  const columns = new RecordColumns();
  let t = 1000;
  for (const [event, fields] of Object.entries(STATION_FIELDS)) {
    const [a, b, c] = fields.map(() => HOSTILE);
    columns.addEvent(t++, event as StationEvent, 1, a, b, c);
  }
  columns.addFrame(t++, "hop", 1, 2, 500, { type: "DAT", src: 1, dst: 255, args: [HOSTILE], flags: 0 });
  columns.addFrame(t, "dropped", 2, 3, 500, { type: "DAT", src: 1, dst: 255, args: [HOSTILE], flags: 0 });
  return { header, columns };
}

function logText({ header, columns }: ReturnType<typeof hostileRun>): string {
  const lines = [plainJson(header)];
  for (let i = 0; i < columns.length; i++) lines.push(plainJson(recordJson(columns.get(i))));
  lines.push(plainJson({ records: columns.length, counts: {}, verdict: "done" }), "");
  return lines.join("\n");
}

describe("a log", () => {
  pageTest("that is dropped onto the page is shown, hostile text of every field as text", async () => {
    const page = await openPage(pageFile());
    await page.getByRole("button", { name: "Station 5" }).waitFor();
    const text = JSON.stringify(logText(hostileRun()));
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${text}], "<b>bad</b>.ndjson"));
      return transfer;
    })()`);
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
    await page.getByText("<b>bad</b>.ndjson: 3 stations").waitFor();
    await page.keyboard.press("End");
    const told = page.getByRole("region", { name: "What happened" });
    await told.getByText("console: <img src=x onerror").waitFor();
    await page.getByRole("tab", { name: "Station" }).click();
    await page.getByText("last fence").waitFor();
    expect(await page.title()).toBe("ringlab");
    expect(await page.locator("img, b:has-text('bad')").count()).toBe(0);
  });

  pageTest("that is carried in the page opens from a folder, without a network", async () => {
    const run = hostileRun();
    const path = join(testFolder(), "carried.html");
    writeFileSync(path, [...html.pieces(memorySource(run.header, run.columns))].join(""));
    expect(readFileSync(path, "utf8")).not.toContain("<img");
    const page = await openPage(pathToFileURL(path).href, { offline: true });
    await moveTo(page, 1);
    await page.getByText("console: <img src=x onerror").waitFor();
    expect(await page.title()).toBe("ringlab");
  });

  pageTest("that is none is refused in one line", async () => {
    const page = await openPage(pageFile());
    await page.getByLabel("A log of a run").setInputFiles({
      name: "notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("these are notes\n"),
    });
    await page.getByText('"notes.txt": not a log of a run (not JSON)').waitFor();
  });
});
