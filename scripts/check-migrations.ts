/**
 * Checks that new migrations can run while the previous release serves requests: no long locks, and nothing removed that
 * it uses. Migrations from before this check are exempt. docs/operations.md#upgrade explains expand and contract.
 */
import process from "node:process";
import { migrations } from "../api/migrations/index.ts";
import { findMigrationFaults } from "../api/platform/database/migration-effects.ts";

/** Migrations before this one were written before the check existed. */
const FIRST_CHECKED = "0094";

const isExempt = (name: string): boolean => name < FIRST_CHECKED;
let faults = 0;
for (const { name, class: Migration } of migrations.filter((one) => !isExempt(one.name))) {
  const migration = Reflect.construct(Migration, [null, null]) as InstanceType<typeof Migration>;
  await migration.up();
  const statements = migration.getQueries().filter((one) => typeof one === "string");
  for (const fault of findMigrationFaults(statements, migration.isTransactional())) {
    faults++;
    process.stdout.write(`Migration ${name}: ${fault}\n`);
  }
}
const checked = migrations.filter(({ name }) => !isExempt(name)).length;
process.stdout.write(`${checked} migrations checked, ${migrations.length - checked} older ones exempt\n`);
process.exit(faults > 0 ? 1 : 0);
