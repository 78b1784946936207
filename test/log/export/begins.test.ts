import { expect, test } from "vitest";
import { FORMATS } from "../../../src/log/export/formats.ts";
import { html } from "../../../src/page/html.ts";
import { eventfulRun } from "../sample.ts";
import { exported } from "./help.ts";

test.each([...FORMATS, html].map((format) => [format.name, format] as const))(
  "a file of the format %s is known by how it begins",
  (_, format) => {
    const start = exported(format, eventfulRun()).toString("latin1", 0, format.begins.length);
    expect(start).toBe(format.begins);
    expect(start.length).toBeGreaterThan(3);
  },
);
