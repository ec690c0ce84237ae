import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { listColumns, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { AddLicenceDocument, UserLicencesDocument } from "#web/generated/graphql.ts";
import { LicencesTab } from "#web/licensing/licences/licences-tab.tsx";
import { userTabs } from "#web/staff/users/update-user-tabs.ts";
import { mockMutation, buildLicence, mockLicences, openLicencesTab } from "./open-licences-tab.tsx";

beforeEach(() => startAs("admin"));

test("shows customers, but not admins, ten licences a page, with expiry as 'DD MMMM, YYYY'", async () => {
  expect(userTabs.find((tab) => tab.id === "licences")).toMatchObject({ label: "Licences", isForCustomers: true });
  const licences = Array.from({ length: 12 }, (_, n) => buildLicence({ id: `licence-${n}`, supportCode: `S-${n}` }));
  openLicencesTab(mockLicences({ ...licences[0], status: "REVOKED" }, ...licences.slice(1)));
  expect(await screen.findByText("1–10 of 12")).toBeTruthy();
  const table = screen.getByRole("table", { name: "Licences" });
  const expected = "Product | Licence type | Licence category | Expiry Date | PO number | Project term | Actions";
  expect(listColumns(within(table))).toBe(expected);
  const [, first] = within(table).getAllByRole("row");
  const cells = within(first as HTMLElement).getAllByRole("cell");
  const texts = cells.slice(0, 6).map((cell) => cell.textContent);
  expect(texts.join(" | ")).toBe(
    "Planvarro CorporateS-0 | Concurrent | Transitional Licencing | 09 March, 2027Deactivated | PO-4711 | ",
  );
});

test("shows a message if there are no licences, and can retry after a failure", async () => {
  const { user } = openLicencesTab({ request: mockLicences().request, error: new Error("away") }, mockLicences());
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No Licences.")).toBeTruthy();
});

test("shows the actions that fit the licence", async () => {
  const always =
    "View licence code|Copy Licence Code|View licence usage|Manage Activated Devices|View licence history".split("|");
  for (const [changes, included, missing] of [
    [{}, ["Update", "Seats", "Deactivate"], []],
    [{ licenceActivationType: "STANDARD" }, ["Update", "Deactivate"], ["Seats"]],
    [{ status: "REVOKED" }, ["Seats"], ["Update", "Deactivate"]],
  ] as const) {
    const { user, unmount } = openLicencesTab(mockLicences(buildLicence(changes)));
    await user.click(await screen.findByRole("button", { name: /^Actions for/ }));
    const names = screen.getAllByRole("menuitem").map((item) => item.textContent);
    expect(names).toEqual(expect.arrayContaining([...always, ...included]));
    for (const name of missing) expect(names).not.toContain(name);
    const devices = screen.getByRole("menuitem", { name: "Manage Activated Devices" });
    expect(devices.getAttribute("href")).toBe("/manage-activated-devices/licence-1/user-7/");
    unmount();
  }
});

test("opens the dialogs of links only for staff who may change licences", async () => {
  for (const [role, action, dialogs] of [
    ["support", "add", 1],
    ["support", "reset-counter", 1],
    ["finance", "add", 0],
    ["finance", "reset-counter", 0],
  ] as const) {
    startAs("admin", { staffRoles: [role] });
    const listed = mockQuery(UserLicencesDocument, () => true).returns({
      user: { id: "user-7", licences: [buildLicence()] },
    });
    const { place, unmount } = renderMocked([listed], <LicencesTab userId="user-7" />, `/?action=${action}`);
    expect(await screen.findByText("S-7K3QMX9D")).toBeTruthy();
    await waitFor(() => expect(place()).toBe("/"));
    await waitFor(() => expect(screen.queryAllByRole("dialog")).toHaveLength(dialogs));
    unmount();
  }
});

async function openForm(...mocks: Mock[]) {
  const view = openLicencesTab(mockLicences(), ...mocks);
  await view.user.click(await screen.findByRole("button", { name: "Add A Licence" }));
  await screen.findByRole("dialog", { name: "Add A Licence" });
  return view;
}

test("adding a licence starts with the defaults", async () => {
  await openForm();
  expect(["Number of users", "Number of machines", "PO number"].map((label) => field(label).value)).toEqual([
    "1",
    "1",
    "",
  ]);
  const now = new Date();
  const nextYear = new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth(), now.getUTCDate()));
  const [year, month, day] = nextYear.toISOString().slice(0, 10).split("-");
  expect(field("Expiry Date").value).toBe(`${day}/${month}/${year}`);
  expect(field("Allow on virtual machines").checked).toBe(false);
  const options = [...(field("Licence activation type") as unknown as HTMLSelectElement).options];
  expect(options.map(({ label }) => label)).toEqual(["Choose an activation type", "Standard", "Concurrent"]);
  expect((field("Product level") as unknown as HTMLSelectElement).options).toHaveLength(21);
});

test("adding a licence shows the heartbeat only for Concurrent and the project term only for a project, and resets both", async () => {
  await openForm();
  for (const [choice, on, off, label, typed, initial] of [
    ["Licence activation type", "2", "0", "Heartbeat interval", "40", "15"],
    ["Licence type", "4", "1", "Project term", "Stage 2", ""],
  ] as const) {
    expect(screen.queryByLabelText(label)).toBeNull();
    fill({ [choice]: on });
    expect((await screen.findByLabelText<HTMLInputElement>(label)).value).toBe(initial);
    fill({ [label]: typed });
    fill({ [choice]: off });
    await waitFor(() => expect(screen.queryByLabelText(label)).toBeNull());
    fill({ [choice]: on });
    expect((await screen.findByLabelText<HTMLInputElement>(label)).value).toBe(initial);
  }
  expect(screen.queryByLabelText("Lease period")).toBeNull();
});

test("adding a licence shows errors under the fields and focuses the first", async () => {
  const { user } = await openForm();
  fill({ "Licence type": "4", "Number of users": "1001", "Expiry Date": "31/02/2027" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Product level is required.")).toBeTruthy();
  for (const [label, sentence] of [
    ["Product level", "Product level is required."],
    ["Expiry Date", "Must be a date."],
    ["Project term", "Project term is required."],
    ["Number of users", "Must be at most 1000."],
  ] as const)
    expect(messageUnder(field(label))).toBe(sentence);
  expect(document.activeElement).toBe(field("Product level"));
});

test("sends the whole licence, shows a toast and refreshes the list", async () => {
  const { mock, sent } = mockMutation(AddLicenceDocument, { data: { addLicence: { id: "licence-1" } } });
  const { user } = await openForm(mock, mockLicences(buildLicence()));
  fill({
    "Product level": "14",
    "Licence type": "3",
    "Licence category": "1",
    "Licence activation type": "2",
    "Number of users": "5",
    "Number of machines": "10",
    "Expiry Date": "31/03/2028",
    "PO number": "PO-9",
  });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have successfully added a licence.")).toBeTruthy();
  expect(sent[0]).toEqual({
    userId: "user-7",
    input: {
      productLevel: "CORPORATE",
      licenceType: "CONCURRENT",
      licenceCategory: "NONE",
      licenceActivationType: "CONCURRENT",
      numberOfUsers: 5,
      numberOfMachines: 10,
      limitFloatingLeasePeriodToHours: 0,
      floatingHeartBeatIntervalMinutes: 15,
      expiryDate: "2028-03-31T23:59:59.999Z",
      purchaseOrderNumber: "PO-9",
      projectTerm: "",
      allowOnVms: false,
    },
  });
  expect(await screen.findByText("PO-4711")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
