/**
 * Plants the faults in the checkout that contains this file, a copy that run.mjs makes. One Vitest runs
 * everything, so that only the changed files are transformed again and one PostgreSQL serves all runs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest, type TestCase, type TestModule } from "vitest/node";
import { type Fault, faults } from "./faults.ts";
import { findTableFaults } from "./find-table-faults.ts";

const root = join(import.meta.dirname, "../..");
const words = process.argv.slice(2);
const chosen = faults.filter(({ name, file }) => words.every((word) => `${name} ${file}`.includes(word)));
const print = (text: string) => process.stdout.write(`${text}\n`);

const wrong = findTableFaults(root);
if (wrong.length > 0 || chosen.length === 0) {
  print(wrong.length > 0 ? wrong.join("\n") : "No fault has these words in its name or file.");
  process.exit(1);
}

/** A failed test, with the first line of its error. */
interface Failure {
  readonly test: string;
  readonly message: string;
}

const failures: Failure[] = [];
let stopsAtFailure = false;

function recordFailure(test: string, messages: readonly (string | undefined)[]): void {
  const message = messages[0]?.split("\n", 1)[0] ?? "";
  // A test that only runs out of time proves nothing, because the machine may be busy.
  if (/timed out in \d+ ?ms/i.test(message) || unreliable.has(test)) return;
  failures.push({ test, message });
  if (stopsAtFailure) void vitest.cancelCurrentRun("test-failure");
}

const vitest = await createVitest({
  root,
  watch: false,
  retry: 0,
  reporters: [
    {
      onTestCaseResult(test: TestCase) {
        const { state, errors = [] } = test.result();
        const name = `${test.module.relativeModuleId} › ${test.name}`;
        if (state === "failed")
          recordFailure(
            name,
            errors.map(({ message }) => message),
          );
      },
      onTestModuleEnd(module: TestModule) {
        const messages = module.errors().map(({ message }) => message);
        if (messages.length > 0) recordFailure(module.relativeModuleId, messages);
      },
    },
  ],
});

/** Tests that fail without any fault, so that they prove nothing. */
const unreliable = new Set<string>();

/** Runs test files or folders and returns the failed tests, or only the first one. */
async function runTests(tests: readonly string[], options: { stopsAtFailure: boolean }): Promise<Failure[]> {
  failures.length = 0;
  ({ stopsAtFailure } = options);
  const specifications = await vitest.globTestSpecifications(tests.map((path) => join(root, path)));
  await vitest.runTestSpecifications(specifications.filter(({ project }) => ["unit", "api"].includes(project.name)));
  return [...failures];
}

/** Returns the folder of a test: its area, or its part of `tests/app`. */
const getFolder = (test: string) => /^tests\/(?:app\/)?[^/]+/.exec(test)?.[0] ?? "tests";

/** Plants a fault, runs its tests, and all tests of their folders if those pass, and removes the fault. */
async function findCatcher({ file, find, replace, tests }: Fault): Promise<Failure | undefined> {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  const write = (content: string) => {
    writeFileSync(path, content);
    vitest.invalidateFile(path);
  };
  write(text.replace(find, () => replace));
  try {
    for (const some of [tests, [...new Set(tests.map(getFolder))]]) {
      const [first] = await runTests(some, { stopsAtFailure: true });
      if (first) return first;
    }
    return undefined;
  } finally {
    write(text);
  }
}

const named = [...new Set(chosen.flatMap(({ tests }) => tests))];
for (const { test, message } of await runTests(named, { stopsAtFailure: false })) {
  unreliable.add(test);
  print(`Fails without a fault: ${test}\n     ${message}`);
}
let caught = 0;
for (const [index, fault] of chosen.entries()) {
  const started = performance.now();
  const catcher = await findCatcher(fault);
  const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (catcher) caught++;
  print(`${String(index + 1).padStart(3)}  ${fault.name} (${fault.file})`);
  print(`     ${catcher ? `caught in ${seconds} by ${catcher.test}` : `NOT CAUGHT in ${seconds}`}`);
  if (catcher) print(`     ${catcher.message.slice(0, 150)}`);
}
await vitest.close();
print(`${caught} of ${chosen.length} caught`);
process.exit(caught === chosen.length && unreliable.size === 0 ? 0 : 1);
