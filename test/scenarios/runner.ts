/**
 * Runs a scenario: a text file of blocks, each with commands, a line `----`, and what they say. how-to-read.txt explains
 * the form to a reader who knows no TypeScript.
 */
import { UsageError } from "../../src/errors.ts";
import { NotSo, perform } from "./commands.ts";
import type { Stage } from "./stage.ts";

const RULE = "----";
/** What a block says that has nothing to say. */
const NOTHING = "ok";

export interface Outcome {
  /** The scenario with what its commands said this time. */
  text: string;
  /** Assertions that did not hold, with their lines, and what contradicts the ring's promises. */
  failures: string[];
}

/** @param text of the whole file @throws Error where a block has no rule */
export function runScenario(text: string): Outcome {
  const failures: string[] = [];
  const rings = new Set<Stage>();
  let stage: Stage | null = null;
  let line = 1;
  const blocks = text.trimEnd().split(/\n\n+/);
  const done = blocks.map((block) => {
    const lines = block.split("\n");
    const rule = lines.indexOf(RULE);
    const head = rule < 0 ? lines : lines.slice(0, rule);
    const commands = head
      .map((one, i) => ({ text: one.trim(), line: line + i }))
      .filter((one) => !isComment(one.text));
    line += lines.length + 1;
    if (rule < 0 && commands.length)
      throw new Error(`line ${commands[0]?.line}: a block needs a line ${RULE}`);
    if (rule < 0) return block;
    const says: string[] = [];
    for (const command of commands) {
      try {
        const result = perform(stage, command.text);
        stage = result.stage;
        rings.add(stage);
        says.push(...result.says);
      } catch (error) {
        if (error instanceof NotSo) failures.push(`line ${command.line}: ${error.message}`);
        else if (isRefusal(error)) says.push(`error: ${error.message}`);
        else throw error;
      }
    }
    return [...head, RULE, ...(says.length ? says : [NOTHING])].join("\n");
  });
  // No scenario needs to ask for it: what a ring promises must hold in all of them.
  for (const ring of rings) {
    const found = ring.violation();
    if (found) failures.push(found);
  }
  return { text: `${done.join("\n\n")}\n`, failures };
}

function isComment(text: string): boolean {
  return text === "" || text.startsWith("#");
}

/** Bad input in a command is part of what a scenario may show. */
function isRefusal(error: unknown): error is Error {
  return error instanceof UsageError || (error instanceof Error && error.name === "CommanderError");
}
