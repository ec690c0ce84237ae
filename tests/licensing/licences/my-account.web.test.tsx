import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test, vi } from "vitest";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import type { LicenceStatus } from "#web/generated/graphql.ts";
import { buildOwnLicence, installer, mockMyAccount, openMyAccount, request } from "./mock-my-account.tsx";
import { notify } from "#web/platform/notifications.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("regular");
});

async function openActions(user: ReturnType<typeof openMyAccount>["user"]) {
  await user.click(await screen.findByRole("button", { name: "Actions for XER Bridge Professional" }));
  return screen.findByRole("menu");
}

test("shows the title and the owner of the account", async () => {
  openMyAccount([mockMyAccount()]);
  expect(screen.getByRole("heading", { level: 1, name: "My Account" })).toBeTruthy();
  expect(await screen.findByText("Ada Byron")).toBeTruthy();
  expect(screen.getByText("ada@demo.test")).toBeTruthy();
});

test.each([1, 2])("lets type %i change the password", async (memberType) => {
  openMyAccount([mockMyAccount({ memberType })]);
  await screen.findByText("Ada Byron");
  expect(screen.getByRole("link", { name: "Change Password" }).getAttribute("href")).toBe("/change-password/");
});

test("shows the licences in a table, ten rows a page", async () => {
  openMyAccount([
    mockMyAccount({ licences: Array.from({ length: 12 }, (_, index) => buildOwnLicence(String(index))) }),
  ]);
  expect(await screen.findByText("1–10 of 12")).toBeTruthy();
  const table = screen.getByRole("table", { name: "Licences" });
  const headers = within(table).getAllByRole("columnheader");
  expect(headers.map((header) => header.textContent)).toEqual([
    "Product",
    "Subscription Level",
    "Expiry Date",
    "Actions",
  ]);
  expect(within(table).getAllByRole("row")).toHaveLength(11);
});

test("shows the expiry date as 'DD MMMM, YYYY', with the reason when a licence can't be used", async () => {
  const statuses: LicenceStatus[] = ["ACTIVE", "EXPIRED", "SUSPENDED", "REVOKED"];
  openMyAccount([
    mockMyAccount({ licences: statuses.map((status, index) => buildOwnLicence(String(index), { status })) }),
  ]);
  const cells = await screen.findAllByText(/^09 March, 2027/);
  expect(cells.map((cell) => cell.textContent)).toEqual([
    "09 March, 2027",
    "09 March, 2027Expired",
    "09 March, 2027Suspended",
    "09 March, 2027Deactivated",
  ]);
});

test.each([
  ["RENEWS", "Renews"],
  ["ENDS", "Ends"],
  ["PAYMENT_DUE", "Payment due"],
] as const)(
  "a subscribed licence (%s) shows the end of the paid period without the days of grace",
  async (renewal, mark) => {
    const expiresAt = "2027-09-25T20:00:00.000Z";
    // 6 am on the 23rd in the vendor's time zone is still the 22nd in UTC.
    openMyAccount([
      mockMyAccount({
        licences: [buildOwnLicence("1", { expiresAt, periodEndsAt: "2027-09-22T20:00:00.000Z", renewal })],
      }),
    ]);
    expect((await screen.findByText(/^23 September, 2027/)).textContent).toBe(`23 September, 2027${mark}`);
    expect(screen.queryByText(/26 September/)).toBeNull();
  },
);

test("shows the empty message without licences, and offers the trial", async () => {
  openMyAccount([mockMyAccount()]);
  expect(await screen.findByText("Sorry, you don't have any licence keys yet.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Trial Professional" }).getAttribute("href")).toBe("/try-xer/");
});

test.each([
  ["with an active subscription", { hasActiveSubscription: true }],
  ["as a corporate customer", { memberType: 2 }],
])("offers no trial %s", async (_, changes) => {
  openMyAccount([mockMyAccount(changes)]);
  expect(await screen.findByText("Ada Byron")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Trial Professional" })).toBeNull();
});

test("offers no second trial", async () => {
  openMyAccount([mockMyAccount({ hasCompletedTrial: true })]);
  expect(await screen.findByRole("link", { name: "Subscribe" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Trial Professional" })).toBeNull();
  expect(screen.getByText("Sorry, you don't have any licence keys yet.")).toBeTruthy();
  expect(screen.queryByText(/free trial/)).toBeNull();
});

test.each([
  ["with an active subscription", { hasActiveSubscription: true }, ["Change Payment Details", "Manage Subscription"]],
  ["without a subscription", {}, ["Subscribe"]],
  ["as a corporate customer", { memberType: 2, hasActiveSubscription: true }, []],
])("%s: shows the payment actions %o", async (_, changes, shown) => {
  openMyAccount([mockMyAccount(changes)]);
  await screen.findByText("Ada Byron");
  const money = ["Change Payment Details", "Manage Subscription", "Subscribe"];
  expect(money.filter((name) => screen.queryByRole("link", { name }))).toEqual(shown);
});

test.each([
  [1, "/update-profile/"],
  [2, undefined],
])("shows Update My Details to type %s: %s", async (memberType, href) => {
  openMyAccount([mockMyAccount({ memberType })]);
  expect(await screen.findByText("Ada Byron")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Update My Details" })?.getAttribute("href")).toBe(href);
});

test.each([
  [
    "type 1",
    {},
    ["Update My Details", "Change Password", "Two-step sign-in", "Tax Invoices", "Trial Professional", "Subscribe"],
  ],
  [
    "type 1 with a subscription",
    { hasActiveSubscription: true },
    [
      "Update My Details",
      "Change Password",
      "Two-step sign-in",
      "Tax Invoices",
      "Change Payment Details",
      "Manage Subscription",
    ],
  ],
  ["type 2", { memberType: 2 }, ["Change Password", "Two-step sign-in"]],
])("%s: shows the actions in order", async (_, changes, names) => {
  openMyAccount([mockMyAccount(changes)]);
  const first = await screen.findByRole("link", { name: names[0] ?? "" });
  const links = Array.from(first.parentElement?.querySelectorAll("a") ?? [], (link) => link.textContent);
  expect(links).toEqual(names);
});

test("shows the licence code in a dialog with Copy and Close", async () => {
  const { user } = openMyAccount([mockMyAccount({ licences: [buildOwnLicence("1")] })]);
  await user.click(within(await openActions(user)).getByRole("menuitem", { name: "View licence code" }));
  const dialog = await screen.findByRole("dialog", { name: "Licence code" });
  expect(within(dialog).getByText(/AAAAA/).parentElement?.textContent).toBe("AAAAA-00001");
  await user.click(within(dialog).getByRole("button", { name: "Copy" }));
  expect(await navigator.clipboard.readText()).toBe("AAAAA-00001");
  expect(await screen.findByText("Licence code has been copied to clipboard.")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("copies the licence code from the row and shows a toast", async () => {
  const { user } = openMyAccount([mockMyAccount({ licences: [buildOwnLicence("2")] })]);
  await user.click(within(await openActions(user)).getByRole("menuitem", { name: "Copy Licence Code" }));
  expect(await screen.findByText("Licence code has been copied to clipboard.")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe("AAAAA-00002");
});

test("explains how to copy when the browser refuses", async () => {
  const { user } = openMyAccount([mockMyAccount({ licences: [buildOwnLicence("2")] })]);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
  await user.click(within(await openActions(user)).getByRole("menuitem", { name: "Copy Licence Code" }));
  expect((await screen.findByRole("alert")).textContent).toMatch(/select the text and copy it manually/);
});

test("links each row to its devices and to the installer", async () => {
  const { user } = openMyAccount([mockMyAccount({ licences: [buildOwnLicence("3")] })]);
  const menu = within(await openActions(user));
  expect(menu.getByRole("menuitem", { name: "Manage Activated Devices" }).getAttribute("href")).toBe(
    "/manage-activated-devices/3/account/",
  );
  const download = menu.getByRole("menuitem", { name: "Download" });
  expect(download.getAttribute("href")).toBe("/software/production/setup.exe");
  expect(download.hasAttribute("download")).toBe(true);
  expect(download.getAttribute("aria-description")).toBe("7.2.0, 18.4 MB");
});

test("offers no download without a published installer, and keeps the other actions", async () => {
  const { user } = openMyAccount([mockMyAccount({ licences: [buildOwnLicence("3")] }, null)]);
  const menu = within(await openActions(user));
  expect(menu.getAllByRole("menuitem").map((item) => item.textContent)).toEqual([
    "View licence code",
    "Copy Licence Code",
    "Manage Activated Devices",
    "View licence history",
  ]);
});

test("links to sessions, personal data and developer pages in the footer", () => {
  openMyAccount([mockMyAccount()]);
  expect(screen.getByRole("link", { name: "Active sessions" }).getAttribute("href")).toBe("/sessions/");
  expect(screen.getByRole("link", { name: "Your data" }).getAttribute("href")).toBe("/your-data/");
  expect(screen.getByRole("link", { name: "Webhooks" }).getAttribute("href")).toBe("/webhooks/");
  expect(screen.getByRole("link", { name: "Schema explorer" }).getAttribute("href")).toBe("/playground/");
});

test("shows the notes about sharing and moving licences in the footer", () => {
  openMyAccount([mockMyAccount()]);
  expect(screen.getByText(/must not be shared, subleased, or used on government systems/)).toBeTruthy();
  expect(screen.getByText(/notified when a licence moves/)).toBeTruthy();
});

test("reports licences that can't be fetched, and fetches them again", async () => {
  const failure = { request, result: { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] } };
  const { user } = openMyAccount([failure, mockMyAccount({ licences: [buildOwnLicence("1")] })]);
  expect(await screen.findByText("Unable to fetch your licences.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("1–1 of 1")).toBeTruthy();
});

test("offers Alpha and Beta builds to testers only", async () => {
  const [production, beta] = [
    { __typename: "Installer", stage: 4, stageLabel: "Production", version: "7.2.0", sizeBytes: 18_432_000 },
    { __typename: "Installer", stage: 3, stageLabel: "Beta", version: "7.3.0", sizeBytes: 18_900_000 },
  ];
  const { unmount } = openMyAccount([mockMyAccount({}, installer, [production, beta])]);
  expect(await screen.findByRole("heading", { level: 2, name: "Test builds" })).toBeTruthy();
  const rows = screen.getByText("Beta").closest("ul") as HTMLElement;
  expect(within(rows).getAllByRole("listitem")).toHaveLength(1);
  expect(within(rows).getByText("Version 7.3.0, 18.9 MB")).toBeTruthy();
  const link = within(rows).getByRole("link", { name: "Download Beta" });
  expect([link.getAttribute("href"), link.hasAttribute("download")]).toEqual(["/software/beta/setup.exe", true]);
  unmount();
  openMyAccount([mockMyAccount({}, installer, [production])]);
  expect(await screen.findByText("Ada Byron")).toBeTruthy();
  expect(screen.queryByText("Test builds")).toBeNull();
});
