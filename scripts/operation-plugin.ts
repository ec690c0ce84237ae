import { parse, print } from "graphql";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const QUERY = "?operation";

/**
 * Creates a Vite plugin that turns `./sign-in.graphql?operation` into a module with the name, text and hash of the
 * file's only operation, for pages that don't load Apollo Client.
 */
export function operationPlugin(): Plugin {
  return {
    name: "operation",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(`.graphql${QUERY}`)) return null;
      const file = id.slice(0, -QUERY.length);
      this.addWatchFile(file);
      return `export default ${JSON.stringify(readOperation(file))};`;
    },
  };
}

/**
 * Reads the operation in a file.
 * @throws Error unless the file has exactly one named operation and no fragments, because codegen might order fragments
 * differently.
 */
export function readOperation(file: string): { name: string; hash: string; text: string } {
  const document = parse(readFileSync(file, "utf8"));
  const [operation, ...others] = document.definitions;
  if (operation?.kind !== "OperationDefinition" || !operation.name || others.length > 0)
    throw new Error(`${file} must contain one named operation and nothing else to be sent without Apollo Client.`);
  const text = print(document);
  return { name: operation.name.value, hash: createHash("sha256").update(text).digest("hex"), text };
}
