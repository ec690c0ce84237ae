import { Migration } from "@mikro-orm/migrations";

/** Defines a migration that runs SQL statements, in order and in one transaction. */
export function defineMigration(
  statements: readonly string[],
): new (
  ...args: ConstructorParameters<typeof Migration>
) => Migration {
  return class extends Migration {
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  };
}
