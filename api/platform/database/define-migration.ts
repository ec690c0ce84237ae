import { Migration } from "@mikro-orm/migrations";

/** SQL statements of a migration, in order. They run in one transaction, or each on its own if {@link concurrently} marks them. */
export type MigrationSql = readonly string[] | { readonly alone: readonly string[] };

/** Marks statements that can't run in a transaction: they build an index while writers go on. */
export const concurrently = (alone: readonly string[]): MigrationSql => ({ alone });

/** Defines a migration from its statements. */
export function defineMigration(
  sql: MigrationSql,
): new (
  ...args: ConstructorParameters<typeof Migration>
) => Migration {
  return class extends Migration {
    override isTransactional(): boolean {
      return !("alone" in sql);
    }

    override up(): void {
      for (const statement of "alone" in sql ? sql.alone : sql) this.addSql(statement);
    }
  };
}
