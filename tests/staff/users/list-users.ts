import { expect } from "vitest";
import type { TestApp } from "#tests/support/test-app.ts";
import { toListVariables } from "#tests/support/list-variables.ts";

interface Page {
  total: number;
  isTotalCapped: boolean;
  exactTotal: number;
  endCursor: string | null;
  rows: { firstName: string }[];
}

/** Calls the list of users over GraphQL, and expects a page or the extensions of an error. */
export function openUserList(app: TestApp, getToken: () => string) {
  const request = (filter: Record<string, unknown>, fields: string) => {
    const types =
      "$filter: UserFilter, $order: UserOrder, $first: Int, $offset: Int, $after: String, $fromEnd: Boolean";
    const given = "filter: $filter, order: $order, first: $first, offset: $offset, after: $after, fromEnd: $fromEnd";
    const document = `query Users(${types}) { users(${given}) { ${fields} } }`;
    return app.graphql(document, toListVariables(filter), getToken());
  };
  return {
    users: async (filter: Record<string, unknown>, fields = "total endCursor rows { id firstName }"): Promise<Page> => {
      const { data, errors } = await request(filter, fields);
      expect(errors).toBeUndefined();
      return data.users as Page;
    },
    getError: async (filter: Record<string, unknown>) => (await request(filter, "total")).errors?.[0]?.extensions,
  };
}
