import { type Mock, mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import { type ListRequest, toListVariables } from "#tests/support/list-variables.ts";
import { toFilterArguments, getDefaultFilter } from "#web/staff/users/user-filter.ts";
import { UsersDocument } from "#web/generated/graphql.ts";
import ManageUsersPage from "#web/staff/users/manage-users-page.tsx";

/** Creates a user row for the list. */
export function user(number: number, changes: object = {}) {
  return {
    id: `user-${number}`,
    firstName: "Ada",
    lastName: `Byron ${number}`,
    email: `ada.${number}@demo.test`,
    mobile: "0412 345 678",
    emailConfirmed: number !== 2,
    isActive: true,
    memberType: "REGULAR",
    companyName: "Analytical Planning",
    registeredAt: "2026-09-03T04:00:00.000Z",
    ...changes,
  };
}

/** Creates ten user rows, numbered from `first`. */
export const ten = (first: number) => Array.from({ length: 10 }, (_, index) => user(first + index));

/** Returns the query variables for the first page, with `changes`. */
export function buildUsersVariables(changes: ListRequest = {}, days: object = {}) {
  const base = { search: null, offset: 0, first: 10, after: null, fromEnd: false };
  return toListVariables({ ...base, ...toFilterArguments({ ...getDefaultFilter(), ...days }), ...changes });
}

/** Mocks the response to a page query. */
export function page(
  variables: object,
  rows: unknown[],
  total = rows.length,
  endCursor: string | null = "end-1",
): Mock {
  return mockQuery(UsersDocument, variables).returns({ users: { total, endCursor, rows } });
}

/** Renders Manage Users with mocked responses. */
export const openManageUsers = (mocks: Mock[], at = "/admin/manage-users/") =>
  renderMocked([...mocks, savedViews()], <ManageUsersPage />, at);
