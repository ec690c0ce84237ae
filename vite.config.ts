import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { brand } from "./schema/brand.ts";
import { contentPlugin } from "./scripts/content/content-plugin.ts";
import { legalPdfPlugin } from "./scripts/content/legal-pdf-plugin.ts";
import { prerenderPlugin } from "./scripts/content/prerender-plugin.ts";

/** Where the api listens while the portal is developed with `vite` alone. */
const api = `http://localhost:${process.env.PORT ?? 4000}`;

/** Puts the brand into index.html, so that brand.ts stays the one place that names it. */
const brandInPage: Plugin = {
  name: "brand-in-page",
  transformIndexHtml: (html) =>
    html.replaceAll("%BRAND_NAME%", brand.name).replaceAll("%PRODUCT_NAME%", brand.productName),
};

/**
 * The entry names each page's files, so that they load side by side. Not those that the entry itself has loaded, nor
 * icons, which weigh less than their names.
 */
const isFoundAnyway = (file: string) =>
  /^assets\/(react|rolldown-runtime|server-error|brand|paths|button\.module|Icon\w+)-[\w-]{8}\.js$/.test(file);

/**
 * The router names its parts for the developer tools, which keeps also those that nothing uses: `Form.displayName = …`
 * is an effect to a bundler. Without the names, forms and scroll restoration go.
 */
const unusedPartsOfRouter: Plugin = {
  name: "unused-parts-of-router",
  apply: "build",
  transform: {
    filter: { id: /node_modules\/react-router\/dist\/.*\.mjs$/ },
    handler: (code) => ({
      code: code
        // Fetching a link's page ahead is for the router's own framework; here it never happens.
        .replace(/^function PrefetchPageLinks\(\{[\s\S]*?\}\) \{$/m, "$& return null;")
        .replace(/^\w+\.displayName = "\w*";$/gm, "")
        .replace(/ = (React\d*\.(?:forwardRef|createContext|memo)\()/g, " = /*#__PURE__*/ $1"),
      map: null,
    }),
  },
};

export default defineConfig({
  plugins: [
    react(),
    contentPlugin(import.meta.dirname),
    brandInPage,
    unusedPartsOfRouter,
    legalPdfPlugin(import.meta.dirname),
    prerenderPlugin(() => [react(), contentPlugin(import.meta.dirname)]),
  ],
  publicDir: "web/public",
  // rxjs shows its modern build under this name alone; the other one brings helpers for the browsers of 2015.
  resolve: { conditions: ["es2015", ...defaultClientConditions] },
  server: {
    proxy: Object.fromEntries(["/graphql", "/v1", "/software", "/health", "/dev/"].map((path) => [path, api])),
  },
  build: {
    outDir: "dist/web",
    emptyOutDir: true,
    target: "es2023",
    manifest: true,
    // Every file stays a file: the policy of the pages allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === "js" ? needed.filter((file) => !isFoundAnyway(file)) : needed,
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Pages that talk to the api through Apollo Client need all of it; in one file it packs best.
            {
              name: "apollo",
              test: /node_modules[\\/](@apollo|rxjs|graphql|@graphql-typed-document-node|@wry|optimism)[\\/]/,
            },
            {
              name: "react",
              priority: 1,
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/,
            },
          ],
        },
      },
    },
  },
});
