export default {
  mutate: ["api/selling/plans/price-quote.ts"],
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  coverageAnalysis: "perTest",
  concurrency: 1,
  disableTypeChecks: false,
  tsconfigFile: "no-tsconfig.json",
  ignorePatterns: ["/.cache", "/.data*", "/dist"],
  tempDirName: ".cache/stryker",
  reporters: ["clear-text"],
  vitest: { configFile: "tools/mutation/vitest.config.mjs", related: false },
};
