/**
 * Lets Node run the TypeScript sources: `node --import ./scripts/typescript.mjs FILE`. Node's own support removes types
 * but can't compile decorators.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

registerHooks({
  load(url, context, next) {
    if (!/^file:.*(?<!\.d)\.tsx?$/.test(url) || url.includes("/node_modules/")) return next(url, context);
    const file = fileURLToPath(url);
    const { code, map, errors } = transformSync(file, readFileSync(file, "utf8"), { sourcemap: true, tsconfig: true });
    if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join("\n"));
    const encoded = Buffer.from(JSON.stringify(map)).toString("base64");
    const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}`;
    return { format: "module", source, shortCircuit: true };
  },
});
