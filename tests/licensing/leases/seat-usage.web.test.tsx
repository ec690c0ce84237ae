import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import { SeatUsageDocument } from "#web/generated/graphql.ts";
import AdminSeatsPage from "#web/licensing/leases/seat-usage-table.tsx";

const row = (id: string, seatsInUse: number, numberOfUsers: number, companyName: string) => ({
  seatsInUse,
  denials: seatsInUse >= numberOfUsers ? 3 : 0,
  licence: {
    id,
    supportCode: `S-${id}`,
    subscriptionLevel: "Corporate",
    numberOfUsers,
    periodEndsAt: "2027-11-21T09:30:00.000Z",
    renewal: "RENEWS",
    status: "ACTIVE",
    owner: { id: `user-${id}`, firstName: "Ada", lastName: "Lovelace", companyName },
  },
});

function open(rows: object[], onlyFull = false, views: object[] = []) {
  startAs("admin");
  const seatUsage = { total: rows.length, seats: 7, seatsInUse: 3, rows };
  const variables = { filter: { search: null, onlyFull }, first: 20, offset: 0 };
  const mocks = [mockQuery(SeatUsageDocument, variables).returns({ seatUsage }), savedViews(views)];
  return renderMocked(mocks, <AdminSeatsPage />, `/admin/seats/${onlyFull && views.length === 0 ? "?full=1" : ""}`);
}

test("shows the seats and the period of each licence, with links to the customer and the licence", async () => {
  open([row("1", 2, 2, "Harbour Bridges"), row("2", 1, 5, "")]);
  const table = await screen.findByRole("table", { name: "Seats" });
  await within(table).findByText("Harbour Bridges");
  const [, full, free] = within(table).getAllByRole("row");
  expect(full?.textContent).toMatch(/^Harbour BridgesS-1Corporate2 of 2321 November, 2027Renews$/);
  expect(free?.textContent).toMatch(/^Ada LovelaceS-2Corporate1 of 50/);
  const href = "/admin/update-user/user-1/";
  expect(within(table).getByRole("link", { name: "Harbour Bridges" }).getAttribute("href")).toBe(href);
  expect(within(table).getByRole("link", { name: "S-1" }).getAttribute("href")).toBe("/seats/1/");
  expect(screen.getByText("3 of 7 seats in use on 2 licences.")).toBeTruthy();
});

test("keeps the filter for full licences in the URL", async () => {
  open([], true);
  expect(await screen.findByText("No licence is full.")).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Only full licences" }).checked).toBe(true);
});

test("opens with the default view", async () => {
  open([], true, [{ id: "view-1", name: "Full licences", parameters: "full=1", isDefault: true }]);
  expect(await screen.findByText("No licence is full.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "View: Full licences" })).toBeTruthy();
});
