import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { brandTokensPlugin, brandPlugin } from "./scripts/content/brand-tokens.ts";
import { contentPlugin } from "./scripts/content/content-plugin.ts";
import { legalPdfPlugin } from "./scripts/content/legal-pdf-plugin.ts";
import { splitPagesPlugin } from "./scripts/content/page-files-plugin.ts";
import { prerenderPlugin } from "./scripts/content/prerender-plugin.ts";
import { operationPlugin } from "./scripts/operation-plugin.ts";

/** Address of the api when the portal runs with `vite` alone. */
const apiUrl = `http://localhost:${process.env.PORT ?? 4000}`;

/** Serves the schema explorer in development. Its build is separate (`vite.playground.config.ts`). */
const serveExplorer: Plugin = {
  name: "serve-explorer",
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (/^\/playground\/?(\?|$)/i.test(request.url ?? "")) request.url = "/playground.html";
      next();
    });
  },
};

/**
 * Returns whether to leave a file out of the entry's lists of files to preload for each page. The entry has already
 * loaded most of these, and an icon is smaller than its entry in the list.
 */
const isPreloadUnneeded = (file: string) => /^assets\/(react|rolldown-runtime|core|Icon\w+)-[\w-]{7}\.js$/.test(file);

/**
 * Removes the unused parts of the router, such as forms and scroll restoration. The bundler keeps them because
 * assignments such as `Form.displayName = …`, made for developer tools, count as side effects.
 */
const removeUnusedRouterCode: Plugin = {
  name: "remove-unused-router-code",
  apply: "build",
  transform: {
    filter: { id: /node_modules\/react-router\/dist\/.*\.mjs$/ },
    handler: (code) => ({
      code: code
        // Prefetching works only in the router's framework mode.
        .replace(/^function PrefetchPageLinks\(\{[\s\S]*?\}\) \{$/m, "$& return null;")
        // Only data routers show this error page. The portal uses `ErrorBoundary` of web/app.
        .replace(/^function DefaultErrorComponent\(\) \{$/m, "$& return null;")
        .replace(/^\w+\.displayName = "\w*";$/gm, "")
        .replace(/ = (React\d*\.(?:forwardRef|createContext|memo)\()/g, " = /*#__PURE__*/ $1"),
      map: null,
    }),
  },
};

/** Removes the built-in validation of react-hook-form, because all forms have a resolver (`useAppForm`). */
const removeUnusedFormCode: Plugin = {
  name: "remove-unused-form-code",
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

/**
 * Names the order of the cascade layers in each stylesheet with styles of Mantine. The layer that a browser reads first comes first,
 * it may read these files before the base styles, and the minifier drops the statement in tokens.css.
 */
const orderLayers: Plugin = {
  name: "order-layers",
  apply: "build",
  enforce: "post",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue;
      const styles = String(file.source);
      if (styles.includes("@layer mantine")) file.source = `@layer base,mantine;${styles}`;
    }
  },
};

export default defineConfig({
  plugins: [
    splitPagesPlugin(import.meta.dirname),
    react(),
    brandTokensPlugin(),
    contentPlugin(import.meta.dirname),
    operationPlugin(import.meta.dirname),
    brandPlugin,
    serveExplorer,
    removeUnusedRouterCode,
    orderLayers,
    removeUnusedFormCode,
    legalPdfPlugin(import.meta.dirname),
    prerenderPlugin(() => [react(), contentPlugin(import.meta.dirname), operationPlugin(import.meta.dirname)]),
  ],
  publicDir: "web/public",
  // Selects the modern build of rxjs. The default one includes helpers for browsers from 2015.
  resolve: { conditions: ["es2015", ...defaultClientConditions] },
  // These import `?worker` modules, which the dependency optimiser can't resolve.
  optimizeDeps: { exclude: ["graphiql/setup-workers/vite", "@graphiql/react/setup-workers/vite"] },
  server: {
    proxy: Object.fromEntries(["/graphql", "/v1", "/software", "/health", "/dev/"].map((path) => [path, apiUrl])),
  },
  build: {
    outDir: "dist/web",
    emptyOutDir: true,
    target: "es2023",
    manifest: true,
    // The content security policy allows neither inline scripts nor `data:` fonts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === "js" ? needed.filter((file) => !isPreloadUnneeded(file)) : needed,
    },
    rolldownOptions: {
      output: {
        // A short hash keeps the entry small, which lists two hundred file names.
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
        codeSplitting: {
          // Puts only matching modules into a group and leaves the dependencies that the entry needs in the entry.
          includeDependenciesRecursively: false,
          // On a slow line each file costs a round trip, six at a time, and a kilobyte of headers. So what most pages of a kind need
          // is one file. A module goes into the first group that matches, if at least `minShareCount` pages and parts load it.
          groups: [
            // Pages that use Apollo Client need all of it, and one file compresses best.
            {
              name: "apollo",
              priority: 9,
              test: /node_modules[\\/](@apollo|rxjs|graphql|@graphql-typed-document-node|@wry|optimism|tslib)[\\/]/,
            },
            {
              name: "react",
              priority: 9,
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/,
            },
            // What the entry imports and other files share with it.
            {
              name: "core",
              priority: 8,
              test: /schema[\\/](brand|roles)\.|web[\\/](generated[\\/]pages|platform[\\/](paths|landing|connection|load-part|lazy-page|notifications|return-url|server-error|session|storage|store|unsaved-input|use-shortcut)|ui[\\/](button|busy-button|form[\\/]form\.module|message-state\.module|pictures[\\/](paint|pictures\.module|schedule-art|schedule-strip))|app[\\/](pages|page-access|routes|navigation))\b|vite[\\/]preload-helper|dist[\\/]esm[\\/](defaultAttributes|createReactComponent)/,
            },
            // Most forms need these.
            {
              name: "form",
              priority: 7,
              test: /node_modules[\\/]react-hook-form[\\/]|web[\\/](platform[\\/]draft|access[\\/]accounts[\\/]new-password-fields)|web[\\/]ui[\\/](form[\\/](app-form|use-field|form-parts|early-input))/,
            },
            // Shared by the pages of the site.
            {
              name: "site",
              priority: 7,
              test: /web[\\/]ui[\\/](page-hero|band|page-links|prose|content-link|framed-table)\./,
            },
            // Requests without Apollo Client, and signing in.
            {
              name: "requests",
              priority: 7,
              test: /web[\\/]platform[\\/](post-graphql|refresh-session|step-up|handle-forbidden|fetch-from-api)|web[\\/]ui[\\/]loaded\.|schema[\\/]error-codes|web[\\/]access[\\/](sessions[\\/]sign-in\.|accounts[\\/]email-confirmation\.ts$)|operation:(RefreshSession|SignIn|Register|EmailConfirmation|ResendConfirmationEmail|ChangeUnconfirmedEmail|ConfirmEmail|RequestPasswordReset|IsResetTokenValid|ResetPassword|UndoEmailChange)$/,
            },
            // Small modules that signed-in pages share with a few public ones.
            {
              name: "basics",
              priority: 7,
              test: /web[\\/]ui[\\/](moments?|use-last|copy-button)\.|web[\\/]platform[\\/](format-json|save-as-file|search-match)|schema[\\/](plan-catalogue|product-level|machine-name|clean-text|closed-list|dates|money|numbers)\.|icons[\\/]Icon(Check|Copy|Search|Download)\./,
            },
            // Groups import one way: a module that runs before one it needs, in a circle of files, would fail.
            {
              name: "mantine",
              priority: 4,
              test: /node_modules[\\/](@mantine|@floating-ui|clsx|tabbable|react-remove-scroll\w*)[\\/].*js$/,
              minShareCount: 8,
            },
            {
              name: "portal",
              priority: 6,
              test: /web[\\/](app[\\/]portal|platform[\\/](data-layer|api-link|staff-role|store-time-zone)|ui[\\/](dialogs|confirm-dialog|step-mark|callout|portal-theme|table[\\/]row-actions-menu))\b|schema[\\/]staff-roles|@mantine[\\/](core|dropzone)[\\/]styles/,
            },
            // Parts of Mantine that only the shell uses.
            {
              name: "frame",
              priority: 3,
              test: /node_modules[\\/](react-remove-scroll|react-style-singleton|use-sidecar|use-callback-ref|get-nonce|@mantine[\\/]hooks[\\/]esm[\\/](use-collapse|use-window-event)|@mantine[\\/]core[\\/]esm[\\/](core[\\/](MantineProvider|Box)|components[\\/](AppShell|NavLink|Collapse|Drawer|ModalBase|CloseButton|Burger|Kbd)))/,
            },
            {
              name: "table",
              priority: 5,
              test: /node_modules[\\/](@tanstack|use-sync-external-store)[\\/]|web[\\/]ui[\\/]table[\\/](bare-table|column-picker|table-footer|use-list-table|move-between-rows|data-table|table-controls|columns)\b/,
            },
            // Licences and subscriptions, as several pages of customers show them.
            {
              name: "account",
              priority: 5,
              test: /schema[\\/](licence-types|software-stages)|web[\\/](licensing[\\/]licences[\\/](licences-table|licence-expiry|licence-code)|billing[\\/]subscriptions[\\/](products|payment-texts)|generated[\\/]operations[\\/](subscription-status|my-account)|releases[\\/]software[\\/]format-installer)\b/,
            },
            {
              name: "rules",
              priority: 5,
              test: /node_modules[\\/](yup|property-expr|tiny-case|toposort)[\\/]|schema[\\/](text|field)\./,
            },
            {
              name: "icons",
              priority: 4,
              test: /icons[\\/]Icon(?!ArrowRight|Player|Selector|Printer|Circle)|generated[\\/]page-icons/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});
