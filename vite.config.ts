import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";
import { brand } from "./schema/brand.ts";

/** Where the api listens while the portal is developed with `vite` alone. */
const api = `http://localhost:${process.env.PORT ?? 4000}`;

/** Puts the brand into index.html, so that brand.ts stays the one place that names it. */
const brandInPage: Plugin = {
  name: "brand-in-page",
  transformIndexHtml: (html) =>
    html.replaceAll("%BRAND_NAME%", brand.name).replaceAll("%PRODUCT_NAME%", brand.productName),
};

export default defineConfig({
  plugins: [react(), brandInPage],
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
    // Every file stays a file: the policy of the pages allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/ },
          ],
        },
      },
    },
  },
});
