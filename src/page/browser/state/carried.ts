/** What lies in the page's own file beside its program. */

/** Stories by name, as script files. */
export interface Carried {
  stories: { [name: string]: string };
  /** The page is served by a program that shows a ring of boards. */
  live: boolean;
  /** Name of a log that the server has. */
  served?: string;
}

function text(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}

export const carried: Carried = { stories: {}, live: false, ...JSON.parse(text("carried") ?? "{}") };

/** Name and text of a log that the page carries; null where there is none. */
export function carriedLog(): { name: string; log: string } | null {
  const log = text("log");
  const name = document.getElementById("log")?.getAttribute("data-name") ?? "the log in this page";
  return log ? { name, log } : null;
}
