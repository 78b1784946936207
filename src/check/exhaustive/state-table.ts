/** The states that were reached: their keys in a hash table, and how each was reached. */
export class StateTable {
  /** Per state, in the order of discovery: the state before it, and the number of the step that led here. */
  parent: Int32Array;
  step: Int32Array;
  length = 0;
  #high: Uint32Array;
  #low: Uint32Array;
  /** Place in the table to number of state + 1; 0: free. */
  #slots: Int32Array;
  #mask: number;

  constructor(capacity = 1 << 16) {
    this.parent = new Int32Array(capacity);
    this.step = new Int32Array(capacity);
    this.#high = new Uint32Array(capacity);
    this.#low = new Uint32Array(capacity);
    this.#mask = 2 * capacity - 1;
    this.#slots = new Int32Array(2 * capacity);
  }

  /** @returns the number of the state with this key; -1 - number when it is new */
  find(high: number, low: number, parent: number, step: number): number {
    let slot = low & this.#mask;
    for (;;) {
      const state = (this.#slots[slot] as number) - 1;
      if (state < 0) break;
      if (this.#high[state] === high && this.#low[state] === low) return state;
      slot = (slot + 1) & this.#mask;
    }
    if (this.length === this.parent.length) {
      this.#grow();
      return this.find(high, low, parent, step);
    }
    const state = this.length++;
    this.#slots[slot] = state + 1;
    this.#high[state] = high;
    this.#low[state] = low;
    this.parent[state] = parent;
    this.step[state] = step;
    return -1 - state;
  }

  #grow(): void {
    const bigger = new StateTable(this.parent.length * 2);
    for (let i = 0; i < this.length; i++) {
      bigger.find(
        this.#high[i] as number,
        this.#low[i] as number,
        this.parent[i] as number,
        this.step[i] as number,
      );
    }
    this.parent = bigger.parent;
    this.step = bigger.step;
    this.#high = bigger.#high;
    this.#low = bigger.#low;
    this.#slots = bigger.#slots;
    this.#mask = bigger.#mask;
  }
}
