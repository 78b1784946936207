/**
 * A story step by step: the comments of a script, each with the time from which it is told. A comment that says "at 5.1 s" is told
 * then; any other from the action before it on, since that is what it explains.
 */
import { parseAction } from "../../simulation/script/script.ts";

export interface StoryStep {
  /** Microseconds. */
  from: number;
  text: string;
}

export interface Story {
  name: string;
  title: string;
  steps: StoryStep[];
  /** The script file. */
  script: string;
}

const SAID_TIME = /\bat (\d+(?:\.\d+)?) s\b/;

/** @param script a story's file @throws UsageError for an action that there is not */
export function readStory(name: string, script: string): Story {
  const steps: StoryStep[] = [];
  let title = "";
  let last = 0;
  let comment: string[] = [];
  const close = () => {
    const text = comment.join(" ");
    comment = [];
    if (!text) return;
    const said = SAID_TIME.exec(text)?.[1];
    const before = steps.at(-1);
    const from = Math.max(before?.from ?? 0, said === undefined ? last : Number(said) * 1e6);
    // Two comments on one instant are one step.
    if (before?.from === from) before.text += ` ${text}`;
    else steps.push({ from, text });
  };
  for (const whole of script.split(/\r\n?|\n/)) {
    const line = whole.trim();
    if (/^#\s*ringlab run\b/.test(line)) continue;
    if (line.startsWith("#")) {
      const words = line.replace(/^#\s*/, "");
      if (title) comment.push(words);
      else title = words;
    } else if (line) {
      close();
      last = Math.max(last, parseAction(line).at);
    }
  }
  close();
  return { name, title: title.replace(/\.$/, ""), steps, script };
}

/** @returns the number of the step that is told at `t`, -1 before the first */
export function stepAt(story: Story, t: number): number {
  return story.steps.findLastIndex(({ from }) => from <= t);
}
