import { related, type SqlReads } from "#api/platform/sql-reads/reading.ts";

/** How contacts are read in SQL, beside their columns. */
export const contactSqlReads: SqlReads = {
  "User.contacts": related(
    (contact, user) =>
      `contacts ${contact} where ${contact}.user_id = ${user}.id order by ${contact}.last_name, ${contact}.first_name, ${contact}.id`,
  ),
};
