import { randomUUID } from "node:crypto";
import { Migration } from "@mikro-orm/migrations";

/**
 * Replaces the email addresses of trial claims with hashes. The salt is part of the function, so backups include it and
 * every statement uses the same salt.
 */
export class Migration0046 extends Migration {
  override up(): void {
    this.addSql(
      `create function hash_of_email(email text) returns text language sql immutable strict parallel safe as
       $$ select encode(sha256(convert_to('${randomUUID()}' || lower(email), 'UTF8')), 'hex') $$`,
    );
    this.addSql(`update trial_claims set value = hash_of_email(value) where kind = 'email'`);
  }
}
