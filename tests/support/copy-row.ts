interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * Inserts copies of one row of a table, numbered `n` from 1.
 * @param which SQL that selects the row to copy, such as `where last_name = 'Spent'`
 * @param differing pairs of column and SQL value for the columns that differ, in addition to the id
 */
export async function copyRow(
  client: Queryable,
  table: string,
  { which = "", times, differing }: { which?: string; times: number; differing: string },
): Promise<void> {
  // Generated columns can't be inserted.
  const { rows } = await client.query(
    `select quote_ident(column_name) as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const names = (rows as { name: string }[]).map(({ name }) => name);
  await client.query(
    `insert into ${table} (${names.join(", ")}) select ${names.map((name) => `(made.copy).${name}`).join(", ")}
       from (select jsonb_populate_record(one.row, jsonb_build_object('id', gen_random_uuid(), ${differing})) as copy
               from (select t as row from ${table} t ${which} limit 1) one, generate_series(1, ${times}) n) made`,
  );
}
