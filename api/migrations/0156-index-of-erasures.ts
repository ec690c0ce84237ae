import { Migration } from "@mikro-orm/migrations";

/** Adds an index that finds the audit entry of an erasure, which every row that the erasure empties needs. */
export class Migration0156 extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("drop index concurrently if exists audit_entries_of_erasure");
    this.addSql(
      "create index concurrently audit_entries_of_erasure on audit_entries (user_id) where action = 'erase-user'",
    );
  }
}
