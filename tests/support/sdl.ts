import { readFileSync } from "node:fs";
import { buildSchema } from "graphql";

/** Schema of the published SDL. */
export const sdl = buildSchema(readFileSync("schema/schema.graphql", "utf8"), { assumeValidSDL: true });
