/** A link to a station's console over the topics of a ring on an MQTT broker. */
import { causeText, LinkError } from "../errors.ts";
import type { Link, LinkOptions } from "../link.ts";
import { hostTimers } from "../time.ts";
import { type Wire, type WireKind, WireLink, type WireSink } from "../wire-link.ts";
import { ringOf, type StationAddress, stationAddress } from "./address.ts";
import { type Chunk, Inflow, Outflow } from "./chunk.ts";
import type { Presence } from "./presence.ts";
import { joinRing, leaveRing, type RingHost, type StationListener, sessionName } from "./ring-host.ts";

/** The sharing program answers an opening within this, ms. */
const ANSWER_MS = 3000;
/** A station that has just come is waited for so long, ms. */
const PRESENT_MS = 500;

/**
 * A link over an MQTT broker to a station that `ringlab share` has put there. The serial settings are those of the
 * sharing program.
 * @throws UsageError for an address that is none
 */
export function mqttLink(text: string, options: LinkOptions = {}): Link {
  const address = stationAddress(text);
  const kind: WireKind = {
    make: (sink) => new MqttWire(address, sink),
    explain: (cause) =>
      cause instanceof LinkError ? cause : new LinkError("failed", address.path, causeText(cause)),
  };
  return new WireLink(address.path, kind, options);
}

class MqttWire implements Wire {
  readonly #address: StationAddress;
  readonly #sink: WireSink;
  readonly #session = sessionName();
  readonly #inflow = new Inflow();
  readonly #outflow = new Outflow((number, bytes) => this.#send("data", number, bytes));
  readonly #listener: StationListener;
  #host: RingHost | undefined;
  #joining: Promise<RingHost> | undefined;
  #answer: (chunk: Chunk) => void = () => {};
  #came: () => void = () => {};
  #fail: (error: LinkError) => void = () => {};
  /** Who shared the station when it was opened. */
  #instance: string | undefined;
  #open = false;
  #closing = false;

  constructor(address: StationAddress, sink: WireSink) {
    this.#address = address;
    this.#sink = sink;
    this.#listener = {
      chunk: (chunk) => this.#chunk(chunk),
      present: (presence) => this.#present(presence),
      lost: (reason) => this.#lost(reason),
    };
  }

  async open(): Promise<void> {
    const { path, id } = this.#address;
    this.#joining = joinRing(ringOf(this.#address));
    const host = await this.#joining;
    this.#host = host;
    if (!host.connected) throw new LinkError("unreachable", path, "the broker is gone: start it again");
    host.listen(id, this.#listener);
    const failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    failed.catch(() => {});
    if (!host.present.has(id)) {
      await Promise.race([
        failed,
        limited(PRESENT_MS, (done) => {
          this.#came = done;
        }),
      ]);
    }
    const there = host.present.get(id);
    if (!there)
      throw new LinkError(
        "missing",
        path,
        `nobody shares station ${id}: start "ringlab share" beside its board`,
      );
    this.#instance = there.instance;
    const answered = limited<Chunk>(ANSWER_MS, (done) => {
      this.#answer = done;
    });
    this.#send("open", 0);
    const answer = await Promise.race([failed, answered]);
    if (answer?.kind === "closed") {
      throw new LinkError("missing", path, causeText(answer.bytes.toString("utf8").slice(0, 120)));
    }
    if (answer?.kind !== "opened") {
      throw new LinkError(
        "timeout",
        path,
        `${there.name} shares it, but does not answer: is that computer asleep?`,
      );
    }
    this.#open = true;
  }

  write(bytes: Buffer, done: (error?: Error | null) => void): void {
    this.#outflow.send(bytes, done);
  }

  drain(done: () => void): void {
    // The broker has what the window let through; more only the frames' own answers tell.
    done();
  }

  close(done: () => void): void {
    if (this.#closing) {
      done();
      return;
    }
    this.#closing = true;
    this.#fail(new LinkError("closed", this.#address.path, "closed"));
    if (this.#host) {
      this.#send("close", 0);
      this.#host.unlisten(this.#address.id, this.#listener);
    }
    if (!this.#joining) {
      done();
      return;
    }
    this.#joining.then(() => {
      leaveRing(ringOf(this.#address));
      done();
    }, done);
  }

  #send(kind: "open" | "close" | "data" | "more", number: number, bytes?: Uint8Array): void {
    this.#host?.send(this.#address.id, kind, this.#session, number, bytes);
  }

  #chunk(chunk: Chunk): void {
    if (chunk.session !== this.#session) {
      if (this.#host) this.#host.refused += 1;
      return;
    }
    if (chunk.kind === "opened") this.#answer(chunk);
    else if (chunk.kind === "closed") {
      this.#answer(chunk);
      this.#lost(causeText(chunk.bytes.toString("utf8").slice(0, 120)) || "the sharing program ended it");
    } else if (chunk.kind === "more") this.#outflow.more(chunk.number);
    else if (chunk.kind === "data") this.#data(chunk);
  }

  #data(chunk: Chunk): void {
    const verdict = this.#inflow.judge(chunk);
    if (verdict === "repeated") return;
    if (verdict === "missing") {
      this.#lost("messages were lost on the way: is the broker overloaded?");
      return;
    }
    if (verdict === "too-much") {
      this.#lost("more came than was agreed: somebody else writes on the ring's topics");
      return;
    }
    this.#sink.bytes(chunk.bytes);
    const used = this.#inflow.used(chunk.bytes.length);
    if (used !== undefined) this.#send("more", used);
  }

  #present(presence: Presence | undefined): void {
    if (presence) this.#came();
    if (!this.#open || presence?.instance === this.#instance) return;
    this.#lost(presence ? "its sharing program was started anew" : "its sharing program has gone");
  }

  #lost(reason: string): void {
    this.#fail(new LinkError("gone", this.#address.path, reason));
    if (this.#open && !this.#closing) this.#sink.lost(reason);
  }
}

/** What `done` is called with, or undefined after the limit. */
function limited<T>(ms: number, begin: (done: (value?: T) => void) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = hostTimers.after(ms, () => resolve(undefined));
    begin((value) => {
      cancel();
      resolve(value);
    });
  });
}
