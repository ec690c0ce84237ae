import { expect, test } from "vitest";
import { buildCountedPage, type PageOf, toRowRange } from "#api/platform/graphql/page.ts";

test("continues a list beyond the rows that are counted, until a page isn't full", () => {
  const capped = { most: 4, limit: 2 };
  const rows = Array.from({ length: 7 }, (_, number) => number);
  const read: number[] = [];
  let after: string | null = null;
  do {
    const { offset, limit } = toRowRange({ first: capped.limit, offset: 0, after });
    const found = rows.slice(offset, offset + limit);
    const page: PageOf<number> = buildCountedPage(found, { offset, total: 5, capped });
    expect([page.total, page.isTotalCapped]).toEqual([4, true]);
    read.push(...page.rows);
    after = page.endCursor;
  } while (after !== null);
  expect(read).toEqual(rows);
});

test("ends a list whose rows are all counted with its last row", () => {
  const last = buildCountedPage(["c", "d"], { offset: 2, total: 4, capped: { most: 4, limit: 2 } });
  expect(last).toEqual({ rows: ["c", "d"], total: 4, isTotalCapped: false, endCursor: null });
});
