import { join } from "node:path";
import type { Plugin } from "vite";
import { contentFolder, readContent } from "./read-content.ts";

const PREFIX = "content:";

/**
 * Creates a Vite plugin that turns the files of `web/site/content` into modules: `content:pages/news`, `content:faqs`, … and
 * `content:lookup`, which loads a page by its `pageName`. Their types are in `web/generated/content.d.ts`.
 */
export function contentPlugin(root: string): Plugin {
  let content = readContent(root);
  return {
    name: "content",
    buildStart() {
      content = readContent(root);
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const name = id.slice(PREFIX.length + 1);
      if (name === "lookup") return lookupModule(content);
      const value = content.get(name);
      if (value === undefined) throw new Error(`${contentFolder} has no entry called ${name}.`);
      return `export default ${JSON.stringify(value)};`;
    },
    configureServer(server) {
      server.watcher.on("change", (file) => {
        if (!file.startsWith(join(root, contentFolder))) return;
        content = readContent(root);
        server.moduleGraph.invalidateAll();
        server.hot.send({ type: "full-reload" });
      });
    },
  };
}

function lookupModule(content: ReturnType<typeof readContent>): string {
  const lines = [...content].flatMap(([name, value]) => {
    const pageName = (value as { pageName?: unknown }).pageName;
    return typeof pageName === "string"
      ? [`  ${JSON.stringify(pageName)}: () => import(${JSON.stringify(`${PREFIX}${name}`)}),`]
      : [];
  });
  return `export default {\n${lines.join("\n")}\n};`;
}
