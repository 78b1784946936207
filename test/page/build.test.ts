/** The page as a file: small enough to be mailed, and nothing in it that only Node has. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { storyTexts } from "../../src/cli/serve-page.ts";
import { buildPage, contentPolicy } from "../../src/page/build.ts";
import { filesIn, read } from "../ground/files.ts";
import { importsOf } from "../ground/imports.ts";

const html = buildPage({ stories: storyTexts() });

describe("the page", () => {
  test("is one file under 900 kB, 300 kB compressed, that loads nothing", () => {
    expect(html.length).toBeLessThan(900_000);
    expect(gzipSync(html).length).toBeLessThan(300_000);
    expect(html.match(/<(?:script|link|img|iframe)[^>]*\s(?:src|href)=["'](?!data:)[^\s>]*/g)).toBeNull();
    expect(contentPolicy(false)).toContain("connect-src 'none'");
    expect(contentPolicy(false)).not.toContain("unsafe");
  });

  test("has nothing of Node in it", () => {
    // A module of Node would have ended the build; these are its globals.
    for (const name of [
      /\bBuffer\.(?:from|alloc)/,
      /\bprocess\.(?:env|std|exit|argv)/,
      /\brequire\(/,
      /["']node:/,
    ])
      expect(name.exec(html)?.[0]).toBeUndefined();
  });

  test("is drawn from models that know neither Node nor a browser", () => {
    const wrong = filesIn("src/page/model").flatMap((path) =>
      importsOf(read(path))
        .filter(({ specifier }) => !specifier.startsWith(".") || specifier.includes("/browser/"))
        .map(({ line, specifier }) => `${path}:${line}: ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });
});
