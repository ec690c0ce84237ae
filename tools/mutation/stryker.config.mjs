import { sets } from "./sets.ts";

const name = process.env.MUTATION_SET;

export default {
  mutate: sets[name].mutate,
  testRunner: "vitest",
  vitest: { configFile: "tools/mutation/vitest.config.mjs", related: false },
  plugins: ["@stryker-mutator/vitest-runner"],
  coverageAnalysis: "perTest",
  concurrency: 2,
  // Vitest doesn't check types, and TypeScript 7 has no interface that Stryker could rewrite a tsconfig.json with.
  disableTypeChecks: false,
  tsconfigFile: "",
  incremental: true,
  incrementalFile: `.cache/mutation/${name}.json`,
  tempDirName: ".cache/mutation/files",
  ignorePatterns: ["/.cache", "/.data*", "/dist", "/test-results"],
  reporters: ["clear-text"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 90, low: 80, break: 80 },
  // The first run loads everything, which takes long on a busy machine.
  dryRunTimeoutMinutes: 20,
  timeoutMS: 60_000,
  allowEmpty: false,
};
