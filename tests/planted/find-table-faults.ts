import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { faults } from "./faults.ts";

/** Returns what is wrong with the table of faults, such as a text that isn't in the source exactly once. */
export function findTableFaults(root: string): string[] {
  return faults.flatMap(({ name, file, find, replace, tests }) => {
    const path = join(root, file);
    const count = existsSync(path) ? readFileSync(path, "utf8").split(find).length - 1 : 0;
    const isRun = tests.every((test) => /\.(?:unit|api|v1|race)\.test\.ts$/.test(test) && existsSync(join(root, test)));
    return [
      ...(count === 1 && find !== replace ? [] : [`${name}: its text is ${count} times in ${file} instead of once.`]),
      ...(isRun ? [] : [`${name}: npm test doesn't run all of ${tests.join(", ")}.`]),
    ];
  });
}
