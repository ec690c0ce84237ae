import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { brandPlugin } from "./scripts/content/brand-in-page.ts";
import { contentPlugin } from "./scripts/content/content-plugin.ts";
import { legalPdfPlugin } from "./scripts/content/legal-pdf-plugin.ts";
import { prerenderPlugin } from "./scripts/content/prerender-plugin.ts";
import { operationPlugin } from "./scripts/operation-plugin.ts";

/** Where the api listens while the portal is developed with `vite` alone. */
const api = `http://localhost:${process.env.PORT ?? 4000}`;

/** The schema explorer is a build of its own (vite.playground.config.ts); here it is found while it is developed. */
const explorerInDevelopment: Plugin = {
  name: "explorer-in-development",
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (/^\/playground\/?(\?|$)/i.test(request.url ?? "")) request.url = "/playground.html";
      next();
    });
  },
};

/**
 * The entry names each page's files, so that they load side by side. Not those that the entry itself has loaded, nor
 * icons, which weigh less than their names.
 */
const isFoundAnyway = (file: string) =>
  /^assets\/(react|rolldown-runtime|server-error|brand|paths|button\.module|Icon\w+)-[\w-]{7}\.js$/.test(file);

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
        // The page of errors of a data router, which this is not: `ErrorBoundary` of web/app has ours.
        .replace(/^function DefaultErrorComponent\(\) \{$/m, "$& return null;")
        .replace(/^\w+\.displayName = "\w*";$/gm, "")
        .replace(/ = (React\d*\.(?:forwardRef|createContext|memo)\()/g, " = /*#__PURE__*/ $1"),
      map: null,
    }),
  },
};

/**
 * Forms always have a resolver (`useAppForm`), so what react-hook-form knows of `required` and its like is never asked.
 */
const unusedPartsOfForms: Plugin = {
  name: "unused-parts-of-forms",
  apply: "build",
  transform: {
    filter: { id: /node_modules\/react-hook-form\/dist\/index\.esm\.mjs$/ },
    handler: (code) => ({
      code: code
        .replace(/^var validateField = async \([^)]*\) => \{$/m, "$& return {};")
        .replace(/^ *const executeBuiltInValidation = async \(\{[\s\S]*?\}, \}\) => \{$/m, "$& return true;"),
      map: null,
    }),
  },
};

export default defineConfig({
  plugins: [
    react(),
    contentPlugin(import.meta.dirname),
    operationPlugin(),
    brandPlugin,
    explorerInDevelopment,
    unusedPartsOfRouter,
    unusedPartsOfForms,
    legalPdfPlugin(import.meta.dirname),
    prerenderPlugin(() => [react(), contentPlugin(import.meta.dirname), operationPlugin()]),
  ],
  publicDir: "web/public",
  // rxjs shows its modern build under this name alone; the other one brings helpers for the browsers of 2015.
  resolve: { conditions: ["es2015", ...defaultClientConditions] },
  // These import `?worker` modules, which only Vite itself resolves, not the bundler of dependencies in development.
  optimizeDeps: { exclude: ["graphiql/setup-workers/vite", "@graphiql/react/setup-workers/vite"] },
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
        // Seven letters tell two contents of one name apart; the entry names two hundred files.
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
        codeSplitting: {
          // A group takes what its test names, and leaves to the entry what the entry needs too.
          includeDependenciesRecursively: false,
          groups: [
            // Pages that talk to the api through Apollo Client need all of it; in one file it packs best.
            {
              name: "apollo",
              test: /node_modules[\\/](@apollo|rxjs|graphql|@graphql-typed-document-node|@wry|optimism|tslib)[\\/]/,
            },
            {
              name: "react",
              priority: 1,
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/,
            },
            // What every form needs; one file packs better than five.
            {
              name: "form",
              test: /node_modules[\\/]react-hook-form[\\/]|web[\\/]ui[\\/]form[\\/](app-form|fields|form-parts|form\.module|draft)|IconSelector/,
            },
            // What the pages of the site share, for the same reason.
            {
              name: "site",
              test: /web[\\/]ui[\\/](public[\\/](page-hero|band|page-links)|prose|content-link)\\./,
            },
            { name: "notes", test: /web[\\/]ui[\\/](badge|callout)/ },
            // Small things of most signed-in pages, whose names would weigh more than they do.
            {
              name: "portal",
              test: /web[\\/]ui[\\/](moments|use-last|copy-button)|schema[\\/]catalogue/,
            },
          ],
        },
      },
    },
  },
});
