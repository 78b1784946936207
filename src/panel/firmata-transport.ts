/** A link as firmata-io wants to have it: events `open`, `data`, `close`, and `write`. */
import { EventEmitter } from "node:events";
import type { Link } from "../link/link.ts";

export class FirmataTransport extends EventEmitter {
  readonly #link: Link;

  /** @param onLost the link was open and is gone */
  constructor(link: Link, onLost: (reason: string) => void) {
    super();
    this.#link = link;
    link.listener = {
      onBytes: (bytes) => this.emit("data", bytes),
      onLost: (reason) => {
        this.emit("close");
        onLost(reason);
      },
    };
  }

  get path(): string {
    return this.#link.path;
  }

  /** @throws LinkError */
  async open(): Promise<void> {
    await this.#link.open();
    this.emit("open");
  }

  /** What is written while the link is not open is gone. */
  write(bytes: Uint8Array, done?: () => void): void {
    this.#link.write(Buffer.from(bytes).toString("latin1"));
    done?.();
  }
}
