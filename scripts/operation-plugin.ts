import { Kind, parse, print, visit } from "graphql";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const PREFIX = "operation:";

/** An operation as pages without Apollo Client send it, and its file. */
interface Operation {
  readonly file: string;
  readonly name: string;
  readonly hash: string;
  readonly text: string;
}

/**
 * Creates a Vite plugin that turns `operation:SignIn` into a module with the name, text and hash of the operation `SignIn` of
 * the portal's `.graphql` files, for pages that don't load Apollo Client. The types are in `web/generated/operations.d.ts`.
 */
export function operationPlugin(root: string): Plugin {
  return {
    name: "operation",
    enforce: "pre",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const name = id.slice(PREFIX.length + 1);
      const found = readOperations(root).get(name);
      if (!found) throw new Error(`No .graphql file has an operation called ${name} without fragments.`);
      const { file, ...operation } = found;
      this.addWatchFile(file);
      return `export default ${JSON.stringify(operation)};`;
    },
  };
}

/**
 * Reads the portal's operations by name, without those with fragments, which codegen might print in a different order.
 */
export function readOperations(root: string): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const file of globSync("web/**/*.graphql", { cwd: root }))
    for (const definition of parse(readFileSync(join(root, file), "utf8")).definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION || !definition.name) continue;
      let hasFragments = false;
      visit(definition, { FragmentSpread: () => void (hasFragments = true) });
      if (hasFragments) continue;
      const text = print(definition);
      const hash = createHash("sha256").update(text).digest("hex");
      operations.set(definition.name.value, { file: join(root, file), name: definition.name.value, hash, text });
    }
  return operations;
}
