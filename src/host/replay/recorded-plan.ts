/** The plan in the first line of a run's file. A person may have changed it, so nothing in it is taken for granted. */
import { z } from "zod";
import { LEAST_ROTATIONS } from "../../../firmware/limits.js";
import { isWideId } from "../../bench-file/id.ts";
import { oneOf } from "../../bench-file/schema-parts.ts";
import { quote, UsageError } from "../../errors.ts";
import type { RunHeader } from "../../log/records.ts";
import { electionNames, mutexNames } from "../../protocols/registry.ts";
import { limitsOf, MOST_MS, type Plan } from "../../simulation/plan.ts";
import { type Action, parseAction } from "../../simulation/script/script.ts";

const MOST_STATIONS = 100_000;
const MOST_ACTIONS = 1_000_000;

const ms = z.number().min(0).max(MOST_MS);
const micros = z.number().min(0).max(1e9);

const PLAN = z.object({
  ids: z
    .array(z.custom<number>(isWideId, "no id of a station"))
    .min(1)
    .max(MOST_STATIONS)
    .refine((ids) => new Set(ids).size === ids.length, "an id is there twice"),
  wiring: z.enum(["hub", "wired"]),
  baud: z.int().min(1).max(1e9),
  boardMicros: micros,
  hostMicros: micros,
  election: oneOf(electionNames),
  mutex: oneOf(mutexNames),
  holdMs: ms,
  criticalMs: z.number().min(-1).max(MOST_MS),
  leaseMs: ms,
  preemptMs: z.number().min(-1).max(MOST_MS),
  limits: z.partialRecord(
    z.enum(Object.keys(LEAST_ROTATIONS) as [string]),
    z.number().positive().max(MOST_MS),
  ),
  seed: z.int().min(0),
});

const RECORDED = z.object({
  plan: PLAN,
  script: z
    .array(z.object({ at: z.int().min(0), verb: z.string(), args: z.array(z.string()) }))
    .max(MOST_ACTIONS),
  until: z.int().min(0),
});

export interface RecordedPlan {
  plan: Plan;
  script: Action[];
  /** Microseconds after which the run ended, or was to end. */
  until: number;
}

/**
 * @param path of the file, for the messages
 * @throws UsageError where the header has no such plan
 */
export function recordedPlan(path: string, header: RunHeader): RecordedPlan {
  const where = `${quote(path)}: the plan in its first line`;
  if (header.plan === undefined) {
    throw new UsageError(
      `${quote(path)}: it has no plan in its first line: replay needs a file that "run --log" wrote`,
    );
  }
  const result = RECORDED.safeParse(header.plan);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new UsageError(`${where} cannot be used: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const plan = result.data.plan as Plan;
  try {
    limitsOf(plan);
    const script = result.data.script.map(({ at, verb, args }) =>
      parseAction([`${at}us`, verb, ...args].join(" ")),
    );
    return { plan, script, until: result.data.until };
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${where} cannot be used: ${error.message}`);
    throw error;
  }
}
