import { Migration } from "@mikro-orm/migrations";

const listed = "where sign_in_email is not null";
const indexes: Readonly<Record<string, string>> = {
  users_search: `using gin (search) with (fastupdate = off) ${listed}`,
  users_by_joined: `(registered_at, id) include (member_type, archived_at) ${listed}`,
  users_by_type: `(member_type, registered_at, id) include (archived_at) ${listed}`,
  users_by_activity: `((archived_at is null), registered_at, id) include (member_type) ${listed}`,
  users_by_confirmation: `((email_confirmed_at is not null), registered_at, id) ${listed}`,
  users_by_first_name: `(lower(first_name), id) ${listed}`,
  users_by_last_name: `(lower(last_name), id) ${listed}`,
  users_by_company_name: `(lower(company_name), id) ${listed}`,
  users_by_email: `(lower(email), id) ${listed}`,
};

const waiting = "sign_in_email is null and email_confirmed_at is null and archived_at is null";

/**
 * Excludes registrations from lists if an account with the same email already exists, and allows at most one of them
 * for each email.
 */
export class Migration0058 extends Migration {
  override up(): void {
    for (const [name, definition] of Object.entries(indexes)) {
      this.addSql(`drop index if exists ${name}`);
      this.addSql(`create index ${name} on users ${definition}`);
    }
    const older = `exists (select from users o where lower(o.email) = lower(u.email) and o.sign_in_email is null
      and o.email_confirmed_at is null and o.archived_at is null and (o.registered_at, o.id) > (u.registered_at, u.id))`;
    this.addSql(
      `delete from users u where ${waiting} and ${older}
          and not exists (select from licences l where l.user_id = u.id)
          and not exists (select from tax_invoices i where i.user_id = u.id)
          and not exists (select from promo_redemptions p where p.user_id = u.id)`,
    );
    this.addSql(`update users u set archived_at = now() where ${waiting} and ${older}`);
    this.addSql("drop index if exists users_unclaimed_email");
    this.addSql(`create unique index users_waiting_email on users (lower(email)) where ${waiting}`);
  }
}
