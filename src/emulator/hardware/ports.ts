/** The byte ports that a board is handed: one for the console, one for each UART that is wired to something. */

/** Characters on a UART line, with the time of each: a wire inside the process carries these whole. */
export interface Burst {
  readonly bytes: Uint8Array;
  /** When the first start bit begins, microseconds. */
  readonly startUs: number;
  readonly baud: number;
  /** Bit times one character takes on the line: 10 for 8N1. */
  readonly bitsPerByte: number;
  /** Set when the sender loses power: what would end after this never arrives. */
  cutUs?: number;
}

/** Bytes in and out of a UART. */
export interface UartPort {
  /**
   * Bytes that left the transmitter. A `timed` port gets them when the first start bit begins, with the burst
   * that says when each is out; any other port gets them when the last bit of the piece is out.
   */
  write(bytes: Uint8Array, burst?: Burst): void;
  /** Who wants the bytes that arrive; without a burst they are taken to arrive now, at the speed of the receiver. */
  onData(listener: (bytes: Uint8Array, burst?: Burst) => void): void;
  readonly timed?: boolean;
}

/** The console's port. On USB the board notices whether the other end reads. */
export interface ConsolePort {
  /** `false`: not taken, nobody reads. The same bytes are offered again after `onReader` said true. */
  write(bytes: Uint8Array): boolean | void;
  onData(listener: (bytes: Uint8Array) => void): void;
  /** Asks the other end to hold back, or to go on: USB has its own flow control. */
  pause?(paused: boolean): void;
  /** Tells when the other end starts (true) or stops (false) reading. A port without it always reads. */
  onReader?(listener: (reads: boolean) => void): void;
}

/** One end of a wire inside the process. */
interface WireEnd extends UartPort {
  readonly timed: true;
  deliver(bytes: Uint8Array, burst?: Burst): void;
}

function wireEnd(target: () => WireEnd | undefined, open: () => boolean): WireEnd {
  let listener: ((bytes: Uint8Array, burst?: Burst) => void) | undefined;
  return {
    timed: true,
    write(bytes, burst) {
      if (open()) target()?.deliver(bytes, burst);
    },
    onData(fn) {
      listener = fn;
    },
    deliver(bytes, burst) {
      listener?.(bytes, burst);
    },
  };
}

/** A ring of wires inside the process, with the switches in it. Stations are numbered in ring order. */
export interface RingWires {
  ports: UartPort[];
  /** Opens the wire that leaves a station. */
  cut(i: number): void;
  /** Closes it again. */
  mend(i: number): void;
  /** The station's relay, as in a MAU: while it is open, what its predecessor sends reaches its successor. */
  bypass(i: number, open: boolean): void;
}

/** Ports for `count` stations in a ring: what station i transmits, station i+1 receives, as with TX wired to the next RX. */
export function ringWires(count: number): RingWires {
  const broken = new Set<number>();
  const bypassed = new Set<number>();
  const successor = (i: number): WireEnd | undefined => {
    if (bypassed.has(i)) return undefined;
    let next = (i + 1) % count;
    while (bypassed.has(next)) next = (next + 1) % count;
    return ends[next];
  };
  const ends: WireEnd[] = Array.from({ length: count }, (_, i) =>
    wireEnd(
      () => successor(i),
      () => !broken.has(i),
    ),
  );
  return {
    ports: ends,
    cut: (i) => void broken.add(i),
    mend: (i) => void broken.delete(i),
    bypass: (i, open) => void (open ? bypassed.add(i) : bypassed.delete(i)),
  };
}

/** Two ports wired to each other, RX to TX both ways. */
export function wirePair(): [UartPort, UartPort] {
  const { ports } = ringWires(2);
  return [ports[0]!, ports[1]!];
}
