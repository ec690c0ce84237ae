import { screen, waitFor } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { UsersDocument, UsersTotalDocument } from "#web/generated/graphql.ts";
import { buildUsersVariables, type Mock, openManageUsers, ten } from "./open-manage-users.tsx";

beforeEach(() => {
  resetSession();
  signInAs("admin", { id: "user-9" });
});

function capped(variables: object, rows: unknown[], endCursor: string | null = "end-1"): Mock {
  const users = { __typename: "UserPage", total: 10_000, isTotalCapped: true, endCursor, rows };
  return { request: { query: UsersDocument, variables }, result: { data: { users } }, maxUsageCount: 5 };
}

function exactTotal(result: Mock["result"]): Mock {
  const { filter } = buildUsersVariables({ limit: 1 });
  const { search, limit, userTypes, startDate, endDate, includeArchived } = filter;
  const variables = { filter: { search, limit, userTypes, startDate, endDate, includeArchived } };
  return { request: { query: UsersTotalDocument, variables }, result, maxUsageCount: 5 };
}

test("shows the exact total of 19,965 users and opens the last page", async () => {
  const { user } = openManageUsers([
    capped(buildUsersVariables(), ten(1)),
    exactTotal({ data: { users: { __typename: "UserPage", exactTotal: 19_965 } } }),
    capped(buildUsersVariables({ offset: 0, limit: 5, fromEnd: true }), ten(1).slice(0, 5)),
    capped(buildUsersVariables({ offset: 5, limit: 10, fromEnd: true }), ten(1)),
  ]);
  expect(await screen.findByText("1–10 of 19,965")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Page 1997" }));
  expect(await screen.findByText("19,961–19,965 of 19,965")).toBeTruthy();
  await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(1 + 5));
  await user.click(screen.getByRole("button", { name: "Previous page" }));
  expect(await screen.findByText("19,951–19,960 of 19,965")).toBeTruthy();
  await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(1 + 10));
});

test("marks a total that can't be counted and allows pages beyond it", async () => {
  const { user } = openManageUsers([
    capped(buildUsersVariables(), ten(1)),
    exactTotal({ errors: [new GraphQLError("Too slow.")] }),
    capped(buildUsersVariables({ offset: 9_990 - 10, after: "end-1" }), ten(9_991), "end-1000"),
    capped(buildUsersVariables({ offset: 0, after: "end-1000" }), ten(1), "end-1001"),
  ]);
  expect(await screen.findByText("1–10 of more than 10,000")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Page 1000" }));
  expect(await screen.findByText("9,991–10,000 of more than 10,000")).toBeTruthy();
  expect(await screen.findByText(/Byron 9991/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Next page" }));
  expect(await screen.findByText("10,001–10,010 of more than 10,000")).toBeTruthy();
});
