/** Values of options as people write them: whole numbers and lists of ids. */
import { parseIds } from "../bench-file/id.ts";
import { quote, UsageError } from "../errors.ts";
import { parseTime } from "./script/arguments.ts";

export const MOST_STATIONS = 100_000;

/** @throws UsageError naming the option */
export function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const n = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(n >= least && n <= most)) {
      throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not ${quote(text)}`);
    }
    return n;
  };
}

/** @returns a parser of numbers with commas between, whose errors name the option */
export function wholeNumbers(option: string, least: number, most: number): (text: string) => number[] {
  return (text) => text.split(",").map(wholeNumber(option, least, most));
}

/** @returns a parser of ids, each once: `3`, `1,4,7` or `0-7`, whose errors name the option */
export function idList(option: string): (text: string) => number[] {
  return (text) => parseIds(text, option);
}

/** @returns a parser of times, in microseconds, whose errors name the option */
export function timeOption(option: string): (text: string) => number {
  return (text) => {
    try {
      return parseTime(text);
    } catch (error) {
      if (error instanceof UsageError) throw new UsageError(`${option}: ${error.message}`);
      throw error;
    }
  };
}
