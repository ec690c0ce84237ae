import react from "@vitejs/plugin-react";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { brandTokensPlugin, fillBuiltInBrand, brandPlugin } from "./scripts/content/brand-tokens.ts";
import { compressFiles } from "./scripts/content/compress-files.ts";
import { operationPlugin } from "./scripts/operation-plugin.ts";

/**
 * Removes the fonts embedded in GraphiQL's styles, which the content security policy blocks. The page uses the portal's fonts.
 * Monaco's icon font becomes a file.
 */
const extractFonts: Plugin = {
  name: "extract-fonts",
  apply: "build",
  enforce: "pre",
  load: {
    filter: { id: /node_modules[\\/]graphiql[\\/]dist[\\/]style\.css$/ },
    handler(id) {
      const styles = readFileSync(id.replace(/\?.*$/, ""), "utf8");
      return styles.replace(/@font-face\s*\{[^}]*\}/g, (face) => {
        const [, icons] = /codicon[\s\S]*?url\(data:font\/ttf;base64,([^)"']+)/.exec(face) ?? [];
        if (!icons) return "";
        const file = this.emitFile({ type: "asset", name: "codicon.ttf", source: Buffer.from(icons, "base64") });
        return `@font-face{font-family:codicon;font-display:block;src:url(__VITE_ASSET__${file}__) format("truetype")}`;
      });
    },
  },
};

/** Corrects accessible names: selects of the query builder have none, and "Set active" hides the text of a query in the history. */
const fixNames: Plugin = {
  name: "fix-names",
  transform: {
    filter: { id: /graphiql-explorer[\\/]dist[\\/]Explorer\.js|plugin-history[\\/]dist[\\/]components\.js/ },
    handler: (code) => ({
      code: code
        .replace(/'select',\s*\{/g, "'select', { 'aria-label': 'Value',")
        .replace('"aria-label": "Set active",', ""),
      map: null,
    }),
  },
};

let outDir = "";
let folder = "";
const compressAssets: Plugin = {
  name: "compress-assets",
  apply: "build",
  configResolved: ({ root, build }) => {
    outDir = resolve(root, build.outDir);
    folder = build.write === false ? "" : join(outDir, build.assetsDir);
  },
  closeBundle: {
    order: "post",
    sequential: true,
    handler: () => {
      if (!existsSync(folder)) return undefined;
      fillBuiltInBrand(outDir);
      return compressFiles(folder, 9);
    },
  },
};

/**
 * Builds the schema explorer separately from the portal. In a common build, the portal's pages would load files shared
 * with the editor of two megabytes.
 */
export default defineConfig({
  plugins: [
    react(),
    brandTokensPlugin(),
    operationPlugin(import.meta.dirname),
    brandPlugin,
    extractFonts,
    fixNames,
    compressAssets,
  ],
  publicDir: false,
  build: {
    outDir: "dist/playground",
    // The path under which `api/app/portal.ts` serves the assets.
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
