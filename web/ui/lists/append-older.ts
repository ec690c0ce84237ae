interface Page {
  rows: unknown[];
  endCursor?: string | null;
}

/**
 * For `updateQuery` of Apollo's `fetchMore`: returns the query's data with an older page, which starts at the cursor
 * `after`, at the end of the shown rows. Drops the page if the shown rows end elsewhere: Apollo adds it to the current
 * query, whose filter may have changed meanwhile.
 * @param shown undefined if the current query has no data yet
 */
export function appendOlder<TPage extends Page, TData>(
  shown: TPage | undefined,
  older: TPage,
  after: unknown,
  toData: (page: TPage) => TData,
): TData {
  // Nothing is written then, which Apollo's types don't allow.
  if (!shown || shown.endCursor !== after) return undefined as never;
  return toData({ ...older, rows: [...shown.rows, ...older.rows] });
}
