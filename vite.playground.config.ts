import react from "@vitejs/plugin-react";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { brandPlugin } from "./scripts/content/brand-in-page.ts";
import { compressFiles } from "./scripts/content/compress-files.ts";
import { operationPlugin } from "./scripts/operation-plugin.ts";

/**
 * Monaco and GraphiQL bring their letters inside their styles, which the policy of the pages refuses and every visit would
 * carry: the portal has letters of its own. Monaco's symbols become a file.
 */
const lettersInFiles: Plugin = {
  name: "letters-in-files",
  enforce: "pre",
  load: {
    filter: { id: /node_modules[\\/]graphiql[\\/]dist[\\/]style\.css$/ },
    handler(id) {
      const styles = readFileSync(id.replace(/\?.*$/, ""), "utf8");
      return styles.replace(/@font-face\s*\{[^}]*\}/g, (face) => {
        const [, symbols] = /font-family:\s*"?codicon"?[\s\S]*?url\(data:font\/ttf;base64,([^)"']+)/.exec(face) ?? [];
        if (!symbols) return "";
        const source = Buffer.from(symbols, "base64");
        // While it is developed it may stay where it is: no policy is sent then.
        if (this.environment.mode === "dev") return face;
        const file = this.emitFile({ type: "asset", name: "codicon.ttf", source });
        return `@font-face{font-family:codicon;font-display:block;src:url(__VITE_ASSET__${file}__) format("truetype")}`;
      });
    },
  },
};

/** Each worker that starts says so in the console. */
const quietWorkers: Plugin = {
  name: "quiet-workers",
  transform: {
    filter: { id: /@graphiql[\\/]react[\\/]dist[\\/]setup-workers[\\/]vite\.js/ },
    handler: (code) => ({ code: code.replace(/^\s*console\.info\(.*\);$/m, ""), map: null }),
  },
};

/** An earlier query is named by its text, and not by 'Set active' in its place. */
const namesOfHistory: Plugin = {
  name: "names-of-history",
  transform: {
    filter: { id: /@graphiql[\\/]plugin-history[\\/]dist[\\/]components\.js/ },
    handler: (code) => ({ code: code.replace('"aria-label": "Set active",', ""), map: null }),
  },
};

let folder = "";
const compressedFiles: Plugin = {
  name: "compressed-files",
  apply: "build",
  configResolved: ({ root, build }) => {
    folder = build.write === false ? "" : resolve(root, build.outDir, build.assetsDir);
  },
  closeBundle: {
    order: "post",
    sequential: true,
    handler: () => (existsSync(folder) ? compressFiles(folder, 9) : undefined),
  },
};

/**
 * The schema explorer, built apart from the portal: with one build for both, the portal's pages would load files made
 * for an editor of two megabytes.
 */
export default defineConfig({
  plugins: [react(), operationPlugin(), brandPlugin, lettersInFiles, quietWorkers, namesOfHistory, compressedFiles],
  publicDir: false,
  build: {
    outDir: "dist/playground",
    // The address that `api/app/portal.ts` serves them under.
    assetsDir: "playground/assets",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: { input: "playground.html" },
  },
  worker: { format: "es" },
});
