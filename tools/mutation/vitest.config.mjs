import config from "../../vitest.config.ts";

/** The tests that judge the mutants of one set, in the projects of `npm test`. */
const tests = JSON.parse(process.env.MUTATION_TESTS ?? "[]");
const projects = config.test.projects.flatMap((project) => {
  const isUnit = project.test.name === "unit";
  const include = tests.filter((test) => test.endsWith(".unit.test.ts") === isUnit);
  return (isUnit || project.test.name === "api") && include.length > 0
    ? [{ ...project, test: { ...project.test, include } }]
    : [];
});

export default { ...config, test: { ...config.test, reporters: ["default"], retry: 0, projects } };
