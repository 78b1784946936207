import { z } from "zod";
import { benchSchema } from "./bench-schema.ts";
import { profileSchema } from "./profile-schema.ts";

type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schemas by file name, made from the schemas that the loader checks with, so that an editor completes the
 * same keys that the loader takes.
 *
 * @param boards names of the profiles; an editor offers them for `board`
 */
export function jsonSchemas(boards: readonly string[]): Record<string, JsonSchema> {
  return {
    "board.schema.json": { title: "Board profile", ...convert(profileSchema) },
    "bench.schema.json": { title: "Bench", ...withBoards(convert(benchSchema), boards) },
  };
}

function convert(schema: z.ZodType): JsonSchema {
  // What is written in the file, not what comes out: keys with a default may be left out.
  return z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
}

function withBoards(schema: JsonSchema, boards: readonly string[]): JsonSchema {
  const { stations } = schema.properties as { stations: { items: { properties: { board: JsonSchema } } } };
  stations.items.properties.board.enum = boards;
  return schema;
}
