import config from "../../vitest.config.ts";
import { sets } from "./sets.ts";

/** The tests of the set that Stryker runs, in the projects that `npm test` runs them in. */
const { tests } = sets[process.env.MUTATION_SET];
const projects = config.test.projects.flatMap((project) => {
  const { name } = project.test;
  const include = tests.filter((test) => name === (test.endsWith(".unit.test.ts") ? "unit" : "api"));
  // Stryker runs tests in threads, which take no flags of V8.
  return include.length > 0 ? [Object.assign(project, { test: { ...project.test, include, execArgv: [] } })] : [];
});

export default { ...config, test: { ...config.test, projects } };
