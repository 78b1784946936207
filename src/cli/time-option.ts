import { UsageError } from "../errors.ts";
import { parseTime } from "../simulation/script/script.ts";

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
