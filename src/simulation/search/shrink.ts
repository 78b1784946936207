/** Makes a trial that shows a violation as short as can be, so that a person can read it. */
import { DEFAULT_PLAN } from "../plan.ts";
import { runTrial, type Trial } from "./trial.ts";

/** Verbs that list every station, so that a list without one of them is as good. */
const LISTS = new Set(["partition", "calm"]);
/** Verbs whose second argument is no list of stations, but may name some. */
const FRAMES = new Set(["inject"]);

/** More attempts than this take minutes. */
const MOST_TRIALS = 400;

/**
 * Takes lines and stations away, one after the other, as long as the same claim does not hold.
 * @param trial one that violates `claim`
 * @returns a trial that violates it too; the same one when nothing can be left out
 */
export function shrink(trial: Trial, claim: string): Trial {
  let best = trial;
  let left = MOST_TRIALS;
  const fails = (candidate: Trial): boolean => {
    if (left-- <= 0) return false;
    if (runTrial(candidate).violation?.claim !== claim) return false;
    best = candidate;
    return true;
  };
  for (let smaller = true; smaller && left > 0; ) {
    smaller = withoutLines(best, fails);
    for (const id of best.plan.ids) {
      const candidate = withoutStation(best, id);
      if (candidate && fails(candidate)) smaller = true;
    }
  }
  // Boards as `run` has them, so that it shows the same.
  const { boardMicros, hostMicros } = DEFAULT_PLAN;
  fails({ ...best, plan: { ...best.plan, boardMicros, hostMicros } });
  return best;
}

/** The last line ends the faults, and stays. @returns whether a line could go */
function withoutLines(trial: Trial, fails: (candidate: Trial) => boolean): boolean {
  let { script } = trial;
  const before = script.length;
  for (let i = script.length - 2; i >= 0; i--) {
    const fewer = [...script.slice(0, i), ...script.slice(i + 1)];
    if (fails({ ...trial, script: fewer })) script = fewer;
  }
  return script.length < before;
}

/** @returns null when the script needs the station, or the ring would be too small */
function withoutStation({ fault, plan, script }: Trial, id: number): Trial | null {
  const ids = plan.ids.filter((other) => other !== id);
  if (ids.length < 2) return null;
  const lines: string[] = [];
  for (const line of script) {
    const [time = "", verb = "", ...args] = line.split(" ");
    if (LISTS.has(verb)) {
      const groups = (args[0] ?? "").split("/").map((group) => group.split(",").filter((s) => s !== `${id}`));
      if (verb === "partition" && groups.some((group) => group.length === 0)) return null;
      lines.push([time, verb, groups.map((group) => group.join()).join("/")].join(" ").trim());
      continue;
    }
    const named = FRAMES.has(verb) ? args.join().split(",") : (args[0] ?? "").split(",");
    if (named.includes(String(id))) return null;
    lines.push(line);
  }
  return { fault, plan: { ...plan, ids }, script: lines };
}
