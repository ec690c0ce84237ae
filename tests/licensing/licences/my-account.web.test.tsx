import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { listColumns, startAs } from "#tests/support/mock-query.tsx";
import { buildOwnLicence, buildStep, installer, mockMyAccount, openMyAccount } from "./mock-my-account.tsx";

beforeEach(() => startAs("regular"));

async function openActions(user: ReturnType<typeof openMyAccount>["user"]) {
  await user.click(await screen.findByRole("button", { name: "Actions for Planvarro Professional" }));
  return screen.findByRole("menu");
}

test("shows the owner of the account, the notes about licences and no link but the account's actions", async () => {
  openMyAccount([mockMyAccount()]);
  expect(screen.getByRole("heading", { level: 1, name: "My Account" })).toBeTruthy();
  expect(await screen.findByText("Ada Byron")).toBeTruthy();
  expect(screen.getByText("ada@demo.test")).toBeTruthy();
  expect(screen.getByText("Sorry, you don't have any licence keys yet.")).toBeTruthy();
  expect(screen.getByText(/must not be shared, subleased, or used on government systems.*notified when/)).toBeTruthy();
  const links = screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
    ["Update My Details", "/update-profile/"],
    ["Change Password", "/change-password/"],
    ["Tax Invoices", "/tax-invoices/"],
    ["Trial Professional", "/try-xer/"],
    ["Subscribe", "/manage-subscription/"],
  ]);
});

test("offers a customer with one licence at most 16 targets, each once", async () => {
  const step = buildStep("UPDATE_ADD_IN", { version: "7.3.0" });
  const licences = [buildOwnLicence("1", { renewal: "RENEWS" })];
  openMyAccount([mockMyAccount({ hasActiveSubscription: true, licences })], undefined, step);
  await screen.findByText("Visa ending in 4242");
  await screen.findByText("Version 7.3.0 of the add-in is available");
  const targets = [
    ...document.body.querySelectorAll("a[href], button, input, select, textarea, [role=button], [tabindex='0']"),
  ].map((target) => target.getAttribute("aria-label") ?? target.textContent);
  expect(targets.join(" | ")).toBe(
    "Download Add-In | Update My Details | Change Password | Tax Invoices | Change Payment Details | " +
      "Manage Subscription | Copy Licence Code | Download Add-In | Manage Devices | Change Plan | Update Card | " +
      "Cancel | Actions for Planvarro Professional",
  );
  expect(targets.length).toBeLessThanOrEqual(16);
});

test("shows ten licences a page, with expiry as 'DD MMMM, YYYY' and the reason when one can't be used", async () => {
  const statuses = ["ACTIVE", "EXPIRED", "SUSPENDED", "REVOKED"];
  const licences = Array.from({ length: 12 }, (_, index) =>
    buildOwnLicence(String(index), { status: statuses[index] ?? "ACTIVE" }),
  );
  openMyAccount([mockMyAccount({ licences })]);
  expect(await screen.findByText("1–10 of 12")).toBeTruthy();
  const table = screen.getByRole("table", { name: "Licences" });
  expect(listColumns(within(table))).toBe("Product | Subscription Level | Expiry Date | Actions");
  const cells = within(table).getAllByText(/^09 March, 2027/);
  const texts = cells.map((cell) => cell.closest("td")?.textContent).slice(0, 5);
  expect(texts.join(" | ")).toBe(
    "09 March, 2027 | 09 March, 2027Expired | 09 March, 2027Suspended | 09 March, 2027Deactivated | 09 March, 2027",
  );
  expect(cells).toHaveLength(10);
});

test("shows the end of the paid period of a subscribed licence without the days of grace", async () => {
  const marks = { RENEWS: "Renews", ENDS: "Ends", PAYMENT_DUE: "Payment due" } as const;
  const expiresAt = "2027-09-25T20:00:00.000Z";
  // 6 am on the 23rd in the vendor's time zone is still the 22nd in UTC.
  const periodEndsAt = "2027-09-22T20:00:00.000Z";
  const licences = (Object.keys(marks) as (keyof typeof marks)[]).map((renewal, index) =>
    buildOwnLicence(String(index), { expiresAt, periodEndsAt, renewal }),
  );
  openMyAccount([mockMyAccount({ licences })]);
  const shown = await screen.findAllByText(/^23 September, 2027/);
  const expected = Object.values(marks).map((mark) => `23 September, 2027${mark}`);
  expect(shown.map((cell) => cell.closest("td")?.textContent)).toEqual(expected);
  expect(screen.queryByText(/26 September/)).toBeNull();
});

test("shows each kind of customer the actions they can take, in order", async () => {
  const regular = ["Update My Details", "Change Password", "Tax Invoices"];
  for (const [changes, step, names] of [
    [{}, null, [...regular, "Trial Professional", "Subscribe"]],
    [{}, "START_TRIAL", [...regular, "Subscribe"]],
    [{ hasCompletedTrial: true }, null, [...regular, "Subscribe"]],
    [{ hasCompletedTrial: true }, "SUBSCRIBE", regular],
    [{ hasActiveSubscription: true }, null, [...regular, "Change Payment Details", "Manage Subscription"]],
    [{ memberType: "CORPORATE" }, null, ["Change Password"]],
    [{ memberType: "CORPORATE", hasActiveSubscription: true }, null, ["Change Password"]],
  ] as const) {
    const { unmount } = openMyAccount([mockMyAccount(changes)], undefined, step && buildStep(step));
    const actions = within(await screen.findByRole("navigation", { name: "Quick actions" }));
    expect(actions.getAllByRole("link").map((link) => link.textContent)).toEqual(names);
    unmount();
  }
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
  await navigator.clipboard.writeText("");
  await user.click(within(await openActions(user)).getByRole("menuitem", { name: "Copy Licence Code" }));
  expect(await navigator.clipboard.readText()).toBe("AAAAA-00001");
});

test("links each row to its devices and to the installer, if one is published", async () => {
  const { user, unmount } = openMyAccount([mockMyAccount({ licences: [buildOwnLicence("3")] })]);
  const menu = within(await openActions(user));
  const href = "/manage-activated-devices/3/account/";
  expect(menu.getByRole("menuitem", { name: "Manage Activated Devices" }).getAttribute("href")).toBe(href);
  const download = menu.getByRole("menuitem", { name: "Download" });
  expect(download.getAttribute("href")).toBe("/software/production/setup.exe");
  expect(download.hasAttribute("download")).toBe(true);
  expect(download.getAttribute("aria-description")).toBe("7.2.0, 18.4 MB");
  unmount();
  const { user: other } = openMyAccount([mockMyAccount({ licences: [buildOwnLicence("3")] }, null)]);
  const others = within(await openActions(other));
  const names = others.getAllByRole("menuitem").map((item) => item.textContent);
  const expected = "View licence code | Copy Licence Code | Manage Activated Devices | View licence history";
  expect(names.join(" | ")).toBe(expected);
});

test("offers Alpha and Beta builds to testers only", async () => {
  const [production, beta] = [
    { stage: "PRODUCTION", stageLabel: "Production", version: "7.2.0", sizeBytes: 18_432_000 },
    { stage: "BETA", stageLabel: "Beta", version: "7.3.0", sizeBytes: 18_900_000 },
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
