import { createRequire } from "node:module";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Some packages import graphql as ESM and others require it; two copies refuse each other's types.
const graphql = createRequire(import.meta.url).resolve("graphql");

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    maxWorkers: process.env.VITEST_MAX_WORKERS ?? 2,
    reporters: process.env.VITEST_JSON ? ["default", ["json", { outputFile: process.env.VITEST_JSON }]] : ["default"],
    projects: [
      {
        extends: true,
        test: { name: "unit", environment: "node", include: ["tests/**/*.unit.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "api",
          environment: "node",
          include: ["tests/**/*.{api,v1,race,fault}.test.ts"],
          globalSetup: ["tests/support/global-setup.ts"],
          env: { LOG_LEVEL: "silent" },
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: "web",
          environment: "jsdom",
          include: ["tests/**/*.web.test.tsx"],
          setupFiles: ["tests/support/web-setup.ts"],
          testTimeout: 15_000,
        },
      },
    ],
  },
});
