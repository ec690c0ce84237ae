import type { TestApp } from "#tests/support/test-app.ts";
import { toListVariables } from "#tests/support/list-variables.ts";

interface Page {
  total: number;
  isTotalCapped: boolean;
  exactTotal: number;
  endCursor: string | null;
  rows: { firstName: string }[];
}

/** Calls the list of users over GraphQL, and returns its page or its error. */
export function openUserList(app: TestApp, getToken: () => string) {
  const users = (filter: Record<string, unknown>, fields = "total endCursor rows { id firstName }"): Promise<Page> =>
    app.call(`users { ${fields} }`, toListVariables(filter), getToken());
  return {
    users,
    getError: (filter: Record<string, unknown>): Promise<{ code: string; fields?: object } | undefined> =>
      users(filter).then(
        () => undefined,
        (error) => error,
      ),
  };
}
