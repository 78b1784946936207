/** Bytes first in, first out, in constant time each. */
export class ByteQueue {
  private bytes: number[] = [];
  private head = 0;

  get length(): number {
    return this.bytes.length - this.head;
  }

  push(byte: number): void {
    this.bytes.push(byte);
  }

  /** The next `limit` bytes at most. */
  take(limit: number): Uint8Array {
    const count = Math.min(limit, this.length);
    const taken = Uint8Array.from(this.bytes.slice(this.head, this.head + count));
    this.head += count;
    if (this.head === this.bytes.length) this.clear();
    else if (this.head > 4096 && this.head > this.bytes.length / 2) {
      this.bytes = this.bytes.slice(this.head);
      this.head = 0;
    }
    return taken;
  }

  clear(): void {
    this.bytes = [];
    this.head = 0;
  }
}
