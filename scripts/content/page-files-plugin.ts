import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const table = "web/app/pages.tsx";
const portalPages = "web/app/portal-pages.ts";

/** A row of the table up to its file, with its access and the file's import. */
const row = /(\b(\w+)\(\s*"[^"]*",\s*"[^"]*",\s*)\(\) => import\("(#web\/[^"]+)"\)/g;

const isOfVisitors = (access: string) => ["everyone", "visitors"].includes(access);

/**
 * Creates a Vite plugin that moves the imports of signed-in pages from the table of pages to a module of their own, which
 * loads on demand, so that visitors don't load the list of their files.
 */
export function splitPagesPlugin(root: string): Plugin {
  return {
    name: "split-pages",
    apply: "build",
    enforce: "pre",
    resolveId: (source) => (source === "./portal-pages.ts" ? join(root, portalPages) : null),
    load: {
      filter: { id: /web\/app\/portal-pages\.ts$/ },
      handler: () => {
        const rows = [...readFileSync(join(root, table), "utf8").matchAll(row)];
        const files = rows.filter(([, , access = ""]) => !isOfVisitors(access)).map(([, , , file]) => file);
        return `export default {${files.map((file) => `"${file}": () => import("${file}")`).join(",")}};`;
      },
    },
    transform: {
      filter: { id: /web\/app\/pages\.tsx$/ },
      handler: (code) => {
        const load = 'const loadPage = (file) => () => import("./portal-pages.ts").then((all) => all.default[file]());';
        return `${load}\n${code.replace(row, (whole, start: string, access: string, file: string) =>
          isOfVisitors(access) ? whole : `${start}loadPage("${file}")`,
        )}`;
      },
    },
  };
}

/** Vite plugin that gives each page the name of its file, so that its HTML can list its styles and scripts. */
export const namePages: Plugin = {
  name: "name-pages",
  enforce: "pre",
  transform: {
    filter: { id: /web\/app\/pages\.tsx$/ },
    handler: (code) => code.replace(/\(\) => import\("#(web\/[\w/-]+\.tsx)"\)/g, 'Object.assign($&, { source: "$1" })'),
  },
};
