import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { faults } from "./faults.ts";

/** Returns what is wrong with the table of faults: texts that aren't in the source exactly once, and missing tests. */
export function findTableFaults(root: string): string[] {
  return faults.flatMap(({ name, file, find, replace, tests }) => {
    const path = join(root, file);
    const count = existsSync(path) ? readFileSync(path, "utf8").split(find).length - 1 : 0;
    return [
      ...(count === 1 && find !== replace ? [] : [`${name}: its text is ${count} times in ${file} instead of once.`]),
      ...tests.filter((test) => !existsSync(join(root, test))).map((test) => `${name}: ${test} doesn't exist.`),
      ...tests
        .filter((test) => !/\.(?:unit|api|v1|race)\.test\.ts$/.test(test))
        .map((test) => `${name}: ${test} isn't run by npm test.`),
    ];
  });
}
