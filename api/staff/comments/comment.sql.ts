import { related, type SqlReads } from "#api/platform/sql-reads/reading.ts";

/** How comments are read in SQL, beside their columns. */
export const commentSqlReads: SqlReads = {
  "User.comments": related(
    (comment, user) =>
      `comments ${comment} where ${comment}.user_id = ${user}.id order by ${comment}.at desc, ${comment}.id desc`,
  ),
};
