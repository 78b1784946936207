/**
 * The REPL: characters in, echo, results and prompts out.
 *
 * Measured on the interpreter, release 2v29.277: prompt `>`; a line that starts with DLE (0x10) runs without echo and
 * result; `echo(0)` turns both off until a reset; ESC `[2H` empties the line; ENQ (0x05) on an empty line tells version
 * and board; open brackets, comments and templates continue on the next line with `:`; output of the program first
 * takes prompt and line off the terminal (`\r ESC [J`), the main loop puts them back. Ctrl-C is seen when it arrives,
 * not in the order of the text, and is left out here.
 */
import { isComplete } from "../interpreter/brackets.ts";
import { InputLine } from "./input-line.ts";
import type { Packets } from "./packets.ts";

type State = "none" | "return" | "dle" | "escape" | "escape-O" | "escape-[" | "escape-number";

const arrows: Record<string, "up" | "down" | "left" | "right" | "home" | "end"> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
};
const keypad: Record<string, string> = { o: "/", j: "*", m: "-", k: "+", M: "\r" };

export interface ReplHost {
  raw(text: string): void;
  /**
   * Runs a line and calls `done` when the program has finished it: with the text of its result, or with nothing after
   * printing its error or without echo.
   */
  run(source: string, echo: boolean, done: (result: string | undefined) => void): void;
  /** Prints flags and errors that came up. */
  checkErrors(): void;
  /** A line typed at the debugger's prompt. */
  debug(line: string): void;
  /** The answer to ENQ. */
  identity(): string;
  readonly packets: Packets;
}

export class Repl {
  readonly line: InputLine;
  private readonly host: ReplHost;
  private state: State = "none";
  private number = 0;
  private echoOff = false;
  private lineEchoOff = false;
  /** The program stands in the debugger. */
  debugging = false;
  /** A Ctrl-C that nothing has used up: the main loop empties the line. */
  interrupted = false;

  constructor(host: ReplHost) {
    this.host = host;
    this.line = new InputLine({
      raw: host.raw,
      echo: () => this.echo,
      debugging: () => this.debugging,
    });
  }

  get echo(): boolean {
    return !this.echoOff && !this.lineEchoOff;
  }

  /** In the middle of a packet: a Ctrl-C is a byte of it. */
  get inPacket(): boolean {
    return this.host.packets.active;
  }

  /** The line under way started with DLE: the debugger does not open on it. */
  get silentLine(): boolean {
    return this.lineEchoOff;
  }

  setEcho(on: boolean): void {
    this.echoOff = !on;
  }

  /** Echo as the debugger has it: on, whatever was asked for. */
  showAll(): void {
    this.echoOff = false;
    this.lineEchoOff = false;
  }

  /** A new program: empty line, and echo on unless the state of the old one is kept. */
  reset(keepEcho: boolean): void {
    this.line.text = "";
    this.line.cursor = 0;
    if (!keepEcho) {
      this.showAll();
      this.line.forget();
    }
    this.debugging = false;
    this.interrupted = false;
    this.state = "none";
    this.host.packets.reset();
  }

  /** Text with CR before each LF, as all of the interpreter's own printing. */
  print(text: string): void {
    this.host.raw(text.replaceAll("\n", "\r\n"));
  }

  /** Program output or an error: the prompt steps aside. */
  printAside(text: string): void {
    this.line.remove();
    this.print(text);
  }

  /** The end of a round of the main loop: a Ctrl-C empties the line, the prompt comes back. */
  endOfLoop(): void {
    this.host.checkErrors();
    if (this.interrupted && !this.host.packets.active) {
      this.interrupted = false;
      this.line.clear(true);
    }
    this.line.restore();
  }

  /** One byte of input. */
  take(byte: number): void {
    const { packets } = this.host;
    if (packets.active) {
      // The interrupt saw it before anybody knew that it is data.
      if (byte === 3) this.interrupted = false;
      packets.take(byte);
      return;
    }
    if (byte === 0) this.state = "none";
    else if (byte === 1) this.startPacket();
    else if (byte === 3) return;
    else if (byte === 5) {
      if (this.line.empty) this.print(`${this.host.identity()}\n`);
    } else if (byte === 16) {
      if (this.line.empty) this.lineEchoOff = true;
      this.state = "dle";
    } else if (byte === 27) this.state = "escape";
    else if (this.state.startsWith("escape")) this.takeEscape(String.fromCharCode(byte));
    else this.takeText(byte);
  }

  private startPacket(): void {
    if (this.state !== "dle") return;
    this.state = "none";
    // The DLE of the packet is not that of a silent line.
    this.lineEchoOff = false;
    this.host.packets.start();
  }

  private takeEscape(char: string): void {
    const { state } = this;
    this.state = "none";
    if (state === "escape") {
      if (char === "O") this.state = "escape-O";
      else if (char === "[") this.state = "escape-[";
      else if (char === "\n") this.line.newLine();
    } else if (state === "escape-O") {
      if (char === "F" || char === "H") this.key(arrows[char]!);
      else if (keypad[char] !== undefined) this.take(keypad[char].charCodeAt(0));
    } else if (state === "escape-[") {
      if (char >= "0" && char <= "9") {
        this.number = Number(char);
        this.state = "escape-number";
      } else if (arrows[char] !== undefined) this.key(arrows[char]);
    } else if (char >= "0" && char <= "9") {
      this.number = (this.number * 10 + Number(char)) & 0xffff;
      this.state = "escape-number";
    } else this.endNumber(char);
  }

  private endNumber(char: string): void {
    if (char === "H" && this.number === 2) this.line.clear(true);
    if (char !== "~") return;
    if (this.number === 1) this.line.home();
    else if (this.number === 3) this.line.delete(false);
    else if (this.number === 4) this.line.end();
    else if (this.number === 5 || this.number === 6) this.line.page(this.number === 6);
  }

  private key(name: "up" | "down" | "left" | "right" | "home" | "end"): void {
    if (name === "up" || name === "down") this.line.vertical(name === "up" ? -1 : 1);
    else this.line[name]();
  }

  private takeText(byte: number): void {
    const afterReturn = this.state === "return";
    this.state = "none";
    if (byte === 8 || byte === 127) this.line.delete(true);
    else if (byte === 10 && afterReturn) return;
    else if (byte === 10 || byte === 13) {
      if (byte === 13) this.state = "return";
      this.enter();
    } else if (byte === 9) {
      // With echo the key asks for completion, which is not there; without, it is white space.
      if (!this.echo) this.line.insert("    ");
    } else if (byte >= 32) this.line.insert(String.fromCharCode(byte));
  }

  private enter(): void {
    const { line } = this;
    if (!line.atEnd || !isComplete(line.text)) {
      line.newLine();
      return;
    }
    if (this.echo && !line.removed) this.host.raw("\r\n");
    if (!this.lineEchoOff) line.removed = true;
    const source = line.text.trimEnd();
    line.clear(false);
    if (this.debugging) {
      this.host.debug(source);
      line.remember(source);
      this.finish();
    } else this.host.run(source, this.echo, (result) => this.answer(source, result));
  }

  /** Remembered and answered only with echo: else nobody typed it. */
  private answer(source: string, result: string | undefined): void {
    if (this.echo) this.line.remember(source);
    if (this.echo && result !== undefined && source !== "") this.print(`=${result}\n`);
    this.finish();
  }

  private finish(): void {
    this.host.checkErrors();
    this.lineEchoOff = false;
  }

  /** The line under way was broken off. */
  abandon(): void {
    this.lineEchoOff = false;
  }
}
