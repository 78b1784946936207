/**
 * The line under the prompt: text, cursor and what the terminal shows of it. Cursor movement, deletion and history
 * send exactly what the interpreter sends, so that a terminal stays in step.
 */

/** Most characters of an input line: a bracket that is never closed must not eat the host's memory. */
const lineLimit = 64 * 1024;
/** Lines kept for the cursor keys, and the longest that is kept, characters. */
const historyLines = 100;
const historyLength = 500;

export interface LineOutput {
  /** Characters straight to the console. */
  raw(text: string): void;
  /** True while what is typed is shown. */
  echo(): boolean;
  /** True while the debugger's prompt stands before the line. */
  debugging(): boolean;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

export class InputLine {
  text = "";
  cursor = 0;
  /** Program output took the line off the terminal; the main loop puts it back. */
  removed = false;
  private readonly out: LineOutput;
  private history: string[] = [];

  constructor(out: LineOutput) {
    this.out = out;
  }

  get empty(): boolean {
    return this.text === "";
  }

  private get shown(): boolean {
    return this.out.echo() && !this.removed;
  }

  private place(index: number): Place {
    const before = this.text.slice(0, index);
    const row = before.split("\n").length - 1;
    return { row, column: index - (before.lastIndexOf("\n") + 1) };
  }

  private move(from: Place, to: Place): void {
    const { raw } = this.out;
    for (let i = from.column; i < to.column; i++) raw("\x1b[C");
    for (let i = from.column; i > to.column; i--) raw("\x1b[D");
    for (let i = from.row; i < to.row; i++) raw("\x1b[B");
    for (let i = from.row; i > to.row; i--) raw("\x1b[A");
  }

  private moveTo(from: number, to: number): void {
    this.move(this.place(from), this.place(to));
  }

  /** Text with `:` at the start of each further line. */
  private show(text: string): void {
    this.out.raw(text.replaceAll("\n", "\r\n:"));
  }

  /** The rest of the line from the cursor, then back to the cursor: after a change in the middle. */
  private showToLineEnd(): void {
    const end = this.text.indexOf("\n", this.cursor);
    const rest = this.text.slice(this.cursor, end < 0 ? undefined : end);
    this.out.raw(`${rest} ${"\b".repeat(rest.length + 1)}`);
  }

  /** Takes prompt and line off the terminal, for output of the program. */
  remove(): void {
    if (this.removed) return;
    this.removed = true;
    if (!this.out.echo()) return;
    this.moveTo(this.cursor, 0);
    this.out.raw("\r\x1b[J");
    if (this.out.debugging()) this.out.raw("\b\b\b\b\b");
  }

  /** Puts prompt and line back. */
  restore(): void {
    if (!this.removed) return;
    this.removed = false;
    if (!this.out.echo()) return;
    this.out.raw(this.out.debugging() ? "debug>" : ">");
    this.show(this.text);
    this.moveTo(this.text.length, this.cursor);
  }

  /** Empties the line; `update` also clears it from the terminal. */
  clear(update: boolean): void {
    if (this.empty) return;
    if (update) this.remove();
    this.text = "";
    this.cursor = 0;
  }

  insert(text: string): void {
    if (this.text.length + text.length > lineLimit) return;
    if (this.cursor >= this.text.length) this.text += text;
    else {
      this.text = this.text.slice(0, this.cursor) + text + this.text.slice(this.cursor);
      if (this.shown) this.showToLineEnd();
    }
    this.cursor += text.length;
    if (this.shown) this.out.raw(text);
  }

  /** True when only white space follows the cursor: a line end may run the line. */
  get atEnd(): boolean {
    return this.text.slice(this.cursor).trim() === "";
  }

  /** A line end that does not run the line. */
  newLine(): void {
    if (this.text.length >= lineLimit) return;
    if (this.atEnd) {
      if (this.shown) this.out.raw("\r\n:");
      this.text += "\n";
      this.cursor++;
      return;
    }
    if (this.shown) this.out.raw("\x1b[J");
    this.text = `${this.text.slice(0, this.cursor)}\n${this.text.slice(this.cursor)}`;
    if (this.shown) {
      this.show(this.text.slice(this.cursor));
      this.moveTo(this.text.length, this.cursor + 1);
    }
    this.cursor++;
  }

  /** Backspace, or Delete. */
  delete(backspace: boolean): void {
    if (backspace ? this.cursor === 0 : this.cursor >= this.text.length) return;
    const at = backspace ? this.cursor - 1 : this.cursor;
    const isNewLine = this.text[at] === "\n";
    if (isNewLine && this.shown) {
      this.out.raw("\x1b[J");
      if (backspace) {
        this.out.raw("\b ");
        this.moveTo(this.cursor, this.cursor - 1);
      }
    }
    this.text = this.text.slice(0, at) + this.text.slice(at + 1);
    this.cursor = at;
    if (!this.shown) return;
    if (isNewLine) {
      this.show(this.text.slice(this.cursor));
      this.moveTo(this.text.length, this.cursor);
    } else {
      if (backspace) this.out.raw("\b");
      this.showToLineEnd();
    }
  }

  home(): void {
    while (this.cursor > 0 && this.text[this.cursor - 1] !== "\n") {
      if (this.shown) this.out.raw("\b");
      this.cursor--;
    }
  }

  end(): void {
    while (this.cursor < this.text.length && this.text[this.cursor] !== "\n") {
      if (this.shown) this.out.raw(this.text[this.cursor]!);
      this.cursor++;
    }
  }

  left(): void {
    if (this.cursor === 0 || this.text[this.cursor - 1] === "\n") return;
    this.cursor--;
    if (this.shown) this.out.raw("\x1b[D");
  }

  right(): void {
    if (this.cursor >= this.text.length || this.text[this.cursor] === "\n") return;
    this.cursor++;
    if (this.shown) this.out.raw("\x1b[C");
  }

  /** Page up and page down: start and end of the whole input. */
  page(down: boolean): void {
    const from = this.place(this.cursor);
    this.cursor = down ? this.text.length : 0;
    this.move(from, this.place(this.cursor));
  }

  /** Cursor up or down: through the history at the end of an empty or remembered line, else through the lines. */
  vertical(direction: -1 | 1): void {
    const remembered = this.empty || this.history.includes(this.text);
    if (remembered && this.cursor === this.text.length) this.recall(direction);
    else this.moveLine(direction);
  }

  private moveLine(direction: -1 | 1): void {
    const rows = this.text.split("\n");
    const from = this.place(this.cursor);
    const row = Math.min(Math.max(from.row + direction, 0), rows.length - 1);
    const column = Math.min(from.column, rows[row]!.length);
    this.cursor = rows.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0) + column;
    if (this.shown) this.move(from, { row, column });
  }

  private recall(direction: -1 | 1): void {
    const at = this.history.indexOf(this.text);
    const index = at >= 0 ? at + direction : direction < 0 ? this.history.length - 1 : -1;
    const line = this.history[index];
    if (line === undefined && direction < 0) return;
    if (this.shown) {
      this.moveTo(this.cursor, 0);
      this.out.raw("\x1b[J");
      this.show(line ?? "");
    }
    this.text = line ?? "";
    this.cursor = this.text.length;
  }

  /** Remembers a line that ran, the latest last, each once. */
  remember(line: string): void {
    if (line === "" || line.length > historyLength) return;
    this.history = [...this.history.filter((old) => old !== line), line].slice(-historyLines);
  }

  forget(): void {
    this.history = [];
  }
}
