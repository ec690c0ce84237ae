import { parse, print } from "graphql";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const QUERY = "?operation";

/**
 * Makes `./sign-in.graphql?operation` a module of the portal: the one operation of that file with its name, its text and
 * the hash by which the server knows it, for what asks without Apollo Client.
 */
export function operationPlugin(): Plugin {
  return {
    name: "operation",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(`.graphql${QUERY}`)) return null;
      const file = id.slice(0, -QUERY.length);
      this.addWatchFile(file);
      return `export default ${JSON.stringify(operationIn(file))};`;
    },
  };
}

/** The operation of a file. @throws Error for one that is anything but one named operation: its fragments could stand in another order than codegen's. */
export function operationIn(file: string): { name: string; hash: string; text: string } {
  const document = parse(readFileSync(file, "utf8"));
  const [operation, ...others] = document.definitions;
  if (operation?.kind !== "OperationDefinition" || !operation.name || others.length > 0)
    throw new Error(`${file} must hold one operation with a name, and nothing else, to be sent without Apollo Client.`);
  const text = print(document);
  return { name: operation.name.value, hash: createHash("sha256").update(text).digest("hex"), text };
}
