interface Page<Row> {
  readonly rows: readonly Row[];
  readonly endCursor: string | null;
}

/** Reads a list page by page until a page has no cursor, and returns the rows of all pages. */
export async function readAllPages<Row>(readPage: (after: string | null) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const page: Page<Row> = await readPage(after);
    rows.push(...page.rows);
    after = page.endCursor;
  } while (after !== null);
  return rows;
}
