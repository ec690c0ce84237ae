import { Migration } from "@mikro-orm/migrations";

/** A migration and the name under which databases record it. */
export interface ListedMigration {
  name: string;
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}

/**
 * Defines a migration that runs SQL statements in order: in one transaction unless `isTransactional` is false, as an index
 * that is built while the product is in use requires.
 */
export function defineMigration(
  name: string,
  statements: readonly string[],
  { isTransactional = true } = {},
): ListedMigration {
  return {
    name,
    class: class extends Migration {
      override isTransactional(): boolean {
        return isTransactional;
      }

      override up(): void {
        for (const statement of statements) this.addSql(statement);
      }
    },
  };
}
