import type { Link } from "../../src/link/link.ts";
import { type MemoryPair, memoryPair } from "../../src/link/memory.ts";
import type { PortInfo } from "../../src/link/ports.ts";
import type { BoardIdentity } from "../../src/link/reconnect.ts";
import { ManualTime } from "./time.ts";

/** A port as it is listed, with an Espruino Pico on it. */
export const portInfo = (path: string, more: Partial<PortInfo> = {}): PortInfo => ({
  path,
  kind: "board",
  why: "",
  usbId: "0483:5740",
  unique: false,
  ...more,
});

/** Sockets to plug boards in. A board answers the line "who" with its id and boot id. */
export class Lab {
  readonly time = new ManualTime();
  /** What the system lists. */
  listed: PortInfo[] = [];
  /** Paths in the order in which somebody tried to open them. */
  readonly tried: string[] = [];
  readonly #sockets = new Map<string, MemoryPair>();

  socket(path: string): MemoryPair {
    let pair = this.#sockets.get(path);
    if (!pair) {
      const { clock, timers } = this.time;
      pair = memoryPair({ clock, timers, paths: { a: path, b: `${path} board` } });
      pair.unplug();
      this.#countOpenings(pair.a);
      this.#sockets.set(path, pair);
    }
    return pair;
  }

  /** Plugs a board in; without an identity it is one that answers nothing. */
  async plug(path: string, board?: BoardIdentity): Promise<void> {
    const pair = this.socket(path);
    pair.plug();
    pair.b.listener = {
      onLine: (text) => board && text === "who" && pair.b.write(`${board.id} ${board.bootId}\n`),
    };
    await pair.b.open();
  }

  unplug(path: string): void {
    this.socket(path).unplug();
  }

  readonly connect = (path: string): Link => this.socket(path).a;

  /** Asks a board who it is. */
  readonly probe = (link: Link): Promise<BoardIdentity | undefined> =>
    new Promise((resolve) => {
      link.listener = {
        onLine(text) {
          const [id, bootId = ""] = text.split(" ");
          resolve({ id: Number(id), bootId });
        },
      };
      link.write("who\n");
    });

  #countOpenings(link: Link): void {
    const open = link.open.bind(link);
    link.open = () => {
      this.tried.push(link.path);
      return open();
    };
  }
}
