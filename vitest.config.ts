import { createRequire } from "node:module";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { contentPlugin } from "./scripts/content/content-plugin.ts";
import { operationPlugin } from "./scripts/operation-plugin.ts";

// Some packages import graphql as ESM and others as CommonJS. Two copies don't accept each other's types.
const graphql = createRequire(import.meta.url).resolve("graphql");

const api = {
  environment: "node",
  // Larger than Node's default of 16 MB, so that less survives to the slow collections.
  execArgv: ["--max-semi-space-size=64"],
  globalSetup: ["tests/support/global-setup.ts"],
  env: { LOG_LEVEL: "silent" },
};

const web = {
  environment: "jsdom",
  // Not UTC, so that a test fails if a screen shows the time of another zone.
  env: { TZ: "Australia/Perth" },
  setupFiles: ["tests/support/web-setup.ts"],
};

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    maxWorkers: 3,
    expect: { poll: { timeout: 60_000 } },
    // Long enough for a busy machine: the limits only end a test or worker that hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: { name: "unit", environment: "node", isolate: false, include: ["tests/**/*.unit.test.ts"] },
      },
      {
        extends: true,
        // A real hash takes 50 ms of processor time. `password.unit.test.ts` checks its cost.
        resolve: {
          alias: [{ find: /^@node-rs\/argon2$/, replacement: `${import.meta.dirname}/tests/support/cheap-hashes.ts` }],
        },
        test: {
          ...api,
          name: "api",
          // Loading the api takes longer than most test files, so each worker loads it only once. Each file has its own
          // services and database.
          isolate: false,
          include: ["tests/**/*.{api,v1,race}.test.ts"],
        },
      },
      {
        extends: true,
        // Takes long by nature: kills, processes, hostile input in full, and files that mock modules (`vi.mock`), which works
        // only in a worker that hasn't loaded the modules yet. Only `npm run test:all` runs it.
        test: {
          ...api,
          name: "long",
          include: ["tests/**/*.{fault,long}.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        // Needs Mono. Only `npm run test:dotnet` and `npm run test:all` run it.
        test: { ...api, name: "dotnet", include: ["tests/**/*.dotnet.test.ts"], testTimeout: 600_000 },
      },
      {
        extends: true,
        // The races again, in ten times as many rounds. Only `npm run test:all` runs it.
        test: {
          ...api,
          name: "race-campaign",
          env: { ...api.env, RACE_CAMPAIGN: "1" },
          isolate: false,
          include: ["tests/**/*.race.test.ts"],
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        plugins: [react(), contentPlugin(import.meta.dirname), operationPlugin(import.meta.dirname)],
        test: {
          ...web,
          name: "web",
          // As with the api, each worker loads the portal only once. Each file has its own document.
          isolate: false,
          include: ["tests/**/*.web.test.tsx"],
        },
      },
      {
        extends: true,
        plugins: [react(), contentPlugin(import.meta.dirname), operationPlugin(import.meta.dirname)],
        test: { ...web, name: "web-long", include: ["tests/**/*.long.test.tsx"] },
      },
    ],
  },
});
