/** The page beside a command that runs, or watches, a ring of boards. */

import type { BenchRing } from "../host/bench/bench-ring.ts";
import { BOARD_VERBS, boardAction, canDo } from "../host/ring/board-actions.ts";
import type { RunHeader } from "../log/records.ts";
import { buildPage, contentPolicy } from "../page/build.ts";
import { type Doer, LiveFeed } from "../page/server/live-feed.ts";
import { PageServer } from "../page/server/page-server.ts";
import { parseAction } from "../simulation/script/script.ts";
import { openBrowser } from "./open-browser.ts";
import { print } from "./terminal.ts";

export class LivePage {
  readonly feed: LiveFeed;
  readonly #server: PageServer;
  #can: { [verb: string]: Doer } = {};

  private constructor(server: PageServer, feed: LiveFeed) {
    this.#server = server;
    this.feed = feed;
  }

  /** Serves the page, says where, and shows it. */
  static async open(isShown: boolean): Promise<LivePage> {
    const feed = new LiveFeed();
    const html = buildPage({ stories: {}, live: true });
    const server = await PageServer.open({ html, policy: contentPolicy(true), routes: feed.routes() });
    print(`The page is at ${server.address}\n`, process.stderr);
    if (isShown) openBrowser(server.address);
    return new LivePage(server, feed);
  }

  /** From now on what the page asks for is done to the ring, in the words of a script. */
  control(bench: BenchRing): void {
    const { wiring } = bench.plan;
    for (const [verb, { needs }] of Object.entries(BOARD_VERBS)) {
      if (canDo(verb, wiring)) this.#can[verb] = needs ? "host" : "board";
    }
    this.feed.act = (verb, args) => boardAction(bench, parseAction(["0s", verb, ...args].join(" ")))();
  }

  begin(header: RunHeader): void {
    this.feed.begin(header, this.#can);
  }

  /** Tells the pages that the run is over, and ends. */
  async close(verdict: string): Promise<void> {
    this.feed.end(verdict);
    // What was said goes out first.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await this.#server.close();
  }
}
