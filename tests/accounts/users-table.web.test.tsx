import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { UsersDocument } from "#web/generated/graphql.ts";
import { UsersTable } from "#web/features/accounts/users-table.tsx";

type Mock = MockLink.MockedResponse;

beforeEach(() => {
  signedOut();
  signInAs("admin");
});

function user(number: number, licences: unknown[] = []) {
  return {
    __typename: "User",
    id: `user-${number}`,
    firstName: "Ada",
    lastName: `Byron ${number}`,
    email: `ada.${number}@demo.test`,
    emailConfirmed: number !== 2,
    memberType: 1,
    companyName: "Analytical Planning",
    registeredAt: "2026-09-03T04:00:00.000Z",
    licences,
  };
}

const licence = {
  __typename: "Licence",
  supportCode: "S-7K3QMX9D",
  id: "licence-1",
  product: "XER Bridge",
  subscriptionLevel: "Professional",
  expiresAt: "2027-03-09T04:05:00.000Z",
  status: "EXPIRED",
  numberOfMachines: 1,
  devices: [{ __typename: "Device", id: "device-1", machineName: "LAPTOP|x", lastSeenAt: "2026-09-03T02:07:00.000Z" }],
};

function page(filter: { search?: string; offset?: number }, rows: unknown[], total = rows.length): Mock {
  const variables = { filter: { search: null, offset: 0, limit: 10, ...filter } };
  return {
    request: { query: UsersDocument, variables },
    result: { data: { users: { __typename: "UserPage", total, rows } } },
  };
}

function open(...mocks: Mock[]) {
  return renderWeb(
    <MockedProvider mocks={mocks}>
      <UsersTable />
    </MockedProvider>,
    { at: "/admin/" },
  );
}

const ten = (first: number) => Array.from({ length: 10 }, (_, index) => user(first + index));

test("users stand in a table, and the api gives the next page", async () => {
  const view = open(page({}, ten(1), 23), page({ offset: 10 }, ten(11), 23));
  expect(await screen.findByText("1–10 of 23")).toBeTruthy();
  const headers = screen.getAllByRole("columnheader").map((header) => header.textContent);
  expect(headers).toEqual([
    "First Name",
    "Last Name",
    "Company",
    "Email",
    "User Type",
    "Date Joined",
    "Email Confirmed",
    "Actions",
  ]);
  expect(screen.getAllByText("03/09/2026")).toHaveLength(10);
  await view.user.click(screen.getByRole("button", { name: "Page 2" }));
  expect(await screen.findByText("ada.11@demo.test")).toBeTruthy();
  expect(screen.getByText("11–20 of 23")).toBeTruthy();
});

test("the search asks the api, and says when nothing matches", async () => {
  open(page({}, ten(1)), page({ search: "grace" }, []));
  await screen.findByText("1–10 of 10");
  fill({ Search: "grace " });
  expect(await screen.findByText(/Nothing matches “grace”/)).toBeTruthy();
  expect(screen.queryByText("No users.")).toBeNull();
});

test("a user's licences open with their devices and the way to free them", async () => {
  const view = open(page({}, [user(1, [licence])]));
  await view.user.click(await screen.findByRole("button", { name: "Actions for Ada Byron 1" }));
  await view.user.click(await screen.findByRole("menuitem", { name: "View Licences" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Licences of Ada Byron 1" }));
  expect(dialog.getByRole("heading", { name: "XER Bridge Professional" })).toBeTruthy();
  expect(dialog.getByText("Expired")).toBeTruthy();
  expect(dialog.getByText("LAPTOP")).toBeTruthy();
  expect(dialog.getByRole("link", { name: "Manage Activated Devices" }).getAttribute("href")).toBe(
    "/manage-activated-devices/licence-1/user-1/",
  );
});

test("a user without licences says so; without users the sentence of the specification stands there", async () => {
  const view = open(page({}, [user(1)]));
  await view.user.click(await screen.findByRole("button", { name: /Actions for/ }));
  await view.user.click(await screen.findByRole("menuitem", { name: "View Licences" }));
  expect(await screen.findByText("No Licences.")).toBeTruthy();
  view.unmount();
  open(page({}, []));
  expect(await screen.findByText("No users.")).toBeTruthy();
});

test("users that can't be fetched say so and can be fetched again", async () => {
  const { request } = page({}, []);
  const failure = { request, result: { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] } };
  const view = open(failure, page({}, ten(1)));
  expect(await screen.findByText("Unable to load the data.")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Try Again" }));
  expect(await screen.findByText("1–10 of 10")).toBeTruthy();
});
