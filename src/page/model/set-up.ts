/**
 * What determines a simulated run: options of a ring, as `ringlab run` takes them, and a script of actions. As text it
 * is a script file, in the page's address a list of fields; both give the same run again.
 */
import { UsageError } from "../../errors.ts";
import { idList, MOST_STATIONS, wholeNumber } from "../../simulation/option-values.ts";
import { limitsOf, type Plan } from "../../simulation/plan.ts";
import { planOf, type RingOptions } from "../../simulation/plan-of.ts";
import { type Action, parseAction, parseTime } from "../../simulation/script/script.ts";

/** Options as a person wrote them, without their dashes; `limit` may be there more than once. */
export type OptionWords = [name: string, value: string][];

export interface SetUp {
  words: OptionWords;
  actions: Action[];
}

/** How long a run is where nothing says so, µs. */
export const DURATION = 10_000_000;

const text = (name: keyof RingOptions) => (value: string) => ({ [name]: value }) as Partial<RingOptions>;

const READ: { [name: string]: (value: string, before: RingOptions) => Partial<RingOptions> } = {
  stations: (value) => ({ stations: wholeNumber("--stations", 1, MOST_STATIONS)(value) }),
  ids: (value) => ({ ids: idList("--ids")(value) }),
  wiring: text("wiring"),
  baud: (value) => ({ baud: wholeNumber("--baud", 300, 10_000_000)(value) }),
  seed: (value) => ({ seed: wholeNumber("--seed", 0, 2 ** 53 - 1)(value) }),
  election: text("election"),
  mutex: text("mutex"),
  hold: text("hold"),
  critical: text("critical"),
  lease: text("lease"),
  preempt: text("preempt"),
  limit: (value, { limit = [] }) => ({ limit: [...limit, value] }),
};

/** Names of the options that a set-up may have. */
export const OPTION_NAMES: readonly string[] = [...Object.keys(READ), "duration"];

/** @returns the options as a person would write them */
export function wordsOfOptions(options: RingOptions & { duration?: string }): OptionWords {
  return OPTION_NAMES.flatMap((name): OptionWords => {
    const value = options[name as keyof typeof options];
    if (value === undefined) return [];
    if (name === "limit") return (value as string[]).map((one): [string, string] => [name, one]);
    return [[name, String(value)]];
  });
}

/** @returns the ring and the length of its run, µs @throws UsageError for what no ring can be */
export function planOfWords(words: OptionWords): { plan: Plan; until: number } {
  const options: RingOptions = {};
  let until = DURATION;
  for (const [name, value] of words) {
    if (name === "duration") until = parseTime(value);
    else if (Object.hasOwn(READ, name)) Object.assign(options, READ[name]?.(value, options));
    else throw new UsageError(`--${name} does not describe a ring: use ${OPTION_NAMES.join(", ")}`);
  }
  const plan = planOf(options);
  limitsOf(plan);
  return { plan, until };
}

/** The line of a script that names its ring. */
const COMMAND = /^#\s*ringlab run\s+(\S.*)$/;

/** @returns set-up and comments of a script file @throws UsageError with the number of the line */
export function readScriptText(script: string): SetUp {
  const setUp: SetUp = { words: [], actions: [] };
  let asked = false;
  script.split(/\r\n?|\n/).forEach((whole, i) => {
    const line = whole.trim();
    try {
      const command = asked ? undefined : COMMAND.exec(line)?.[1];
      if (command !== undefined) {
        setUp.words = wordsOf(command);
        asked = true;
      } else if (line && !line.startsWith("#")) setUp.actions.push(parseAction(line));
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`line ${i + 1}: ${error.message}`) : error;
    }
  });
  return setUp;
}

/** @param command `--stations 5 --hold=10ms` @throws UsageError where it is no list of options with values */
export function wordsOf(command: string): OptionWords {
  const words: OptionWords = [];
  const parts = command.trim().split(/\s+/);
  for (let i = 0; i < parts.length; i++) {
    const [, name = "", joined] = /^--([a-z]+)(?:=(.*))?$/.exec(parts[i] as string) ?? [];
    const value = joined ?? parts[++i];
    if (!name || value === undefined) throw new UsageError(`${command}: write options as --stations 5`);
    words.push([name, value]);
  }
  planOfWords(words);
  return words;
}

/** @returns a script file that `ringlab run --script` takes */
export function scriptText({ words, actions }: SetUp): string {
  const options = words.map(([name, value]) => `--${name} ${value}`).join(" ");
  return [`# ringlab run ${options}`.trimEnd(), ...actions.map(actionText), ""].join("\n");
}

export function actionText({ at, verb, args }: Action): string {
  return [timeText(at), verb, ...args].join(" ");
}

/** @param micros whole microseconds @returns the shortest text that `parseTime` reads as this time */
export function timeText(micros: number): string {
  if (micros % 1000) return `${micros}us`;
  return micros % 1e6 ? `${micros / 1000}ms` : `${micros / 1e6}s`;
}

/** @returns what stands behind the `#` of the page's address */
export function addressOf({ words, actions }: SetUp, story?: string): string {
  const fields = new URLSearchParams(words);
  for (const action of actions) fields.append("at", actionText(action));
  if (story !== undefined) fields.append("story", story);
  return fields.toString();
}

/** @returns the set-up of an address, and the story it names @throws UsageError */
export function fromAddress(hash: string): SetUp & { story?: string } {
  const setUp: SetUp & { story?: string } = { words: [], actions: [] };
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (name === "at") setUp.actions.push(parseAction(value));
    else if (name === "story") setUp.story = value;
    else setUp.words.push([name, value]);
  }
  planOfWords(setUp.words);
  return setUp;
}
