/**
 * What Ctrl-C does to a program that is running: after one tick of the system timer the program stands still at a
 * `debug>` prompt, in the middle of whatever handler it was in, until somebody lets it go. A second Ctrl-C breaks the
 * handler off, and an interval, watch or data handler that was broken off is removed.
 */
import type { Cpu } from "./cpu.ts";

/** What the board is in the middle of. */
export interface Running {
  readonly kind: "line" | "boot" | "timeout" | "interval" | "watch" | "data" | "event";
  /** Takes the handler away, for kinds that lose it. */
  readonly remove?: () => void;
}

export interface DebuggerHost {
  readonly cpu: Cpu;
  enterPrompt(): void;
  leavePrompt(): void;
  print(text: string): void;
  /** `ERROR: ...` with the prompt out of the way. */
  printAside(text: string): void;
  /** Evaluates for `print`. */
  evaluate(source: string): string;
  raiseCallbackFlag(): void;
  requestReset(): void;
  /** The broken-off program prints nothing more. */
  discard(): void;
  /** The line that was broken off is over. */
  abandonLine(): void;
  /** The main loop looks again. */
  wake(): void;
}

const help = `Commands:
help / h           - this information
quit / q / Ctrl-C  - Quit debug mode, break execution
reset              - Soft-reset Espruino
continue / c       - Continue execution
next / n           - execute to next line
step / s           - execute to next line, or step into function call
finish / f         - finish execution of the function call
print ... / p ...  - evaluate and print the next argument
info locals / i l)    - output local variables
info scopechain / i s - output all variables in all scopes
bt                 - print backtrace
`;

const removals: Partial<Record<Running["kind"], string>> = {
  interval: "ERROR: Ctrl-C while processing interval - removing it.\n",
  watch: "ERROR: Ctrl-C while processing watch - removing it.\n",
  data: "ERROR: Error processing Serial data handler - removing it.\n",
};

export class Debugger {
  private readonly host: DebuggerHost;
  active = false;

  constructor(host: DebuggerHost) {
    this.host = host;
  }

  /** Stops the program. The place is that of code in RAM, whose source line the interpreter does not show. */
  enter(): void {
    const { host } = this;
    this.active = true;
    host.cpu.hold();
    host.enterPrompt();
    host.print(":1:1   \n       ^\n");
  }

  /** A line at the prompt. Stepping lets the program go on: there are no lines to step through here. */
  command(line: string): void {
    const { host } = this;
    const [, word = "", rest = ""] = /^\s*([A-Za-z_$][\w$]*)?\s*(.*)$/s.exec(line) ?? [];
    if (["help", "h"].includes(word)) host.print(help);
    else if (["continue", "c", "next", "n", "step", "s", "finish", "f"].includes(word)) {
      this.leave(false);
    } else if (["quit", "q"].includes(word)) this.leave(true);
    else if (word === "reset") {
      host.requestReset();
      this.leave(true);
    } else if (["print", "p"].includes(word)) host.print(`=${host.evaluate(rest)}\n`);
    else if (["info", "i"].includes(word))
      host.print(/^(?:l|locals)/.test(rest) ? "No locals found\n" : "No scopes found\n");
    else if (word === "bt") host.print("");
    else host.print("In debug mode: Expected a simple ID, type 'help' for more info.\n");
  }

  private leave(atOnce: boolean): void {
    const { host } = this;
    this.active = false;
    host.leavePrompt();
    host.cpu.release(atOnce);
    host.wake();
  }

  /** Second Ctrl-C, or a Ctrl-C on a line that must not open the debugger. */
  breakOff(running: Running): void {
    const { host } = this;
    host.cpu.drop();
    host.discard();
    if (this.active) {
      this.active = false;
      host.leavePrompt();
    }
    const removal = removals[running.kind];
    if (removal !== undefined) {
      host.printAside(removal);
      host.raiseCallbackFlag();
      running.remove?.();
    }
    const isLine = running.kind === "line" || running.kind === "boot";
    host.printAside(isLine ? "Execution Interrupted\n" : "Execution Interrupted during event processing.\n");
    host.abandonLine();
    host.wake();
  }
}
