import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { getLabels } from "#schema/field.ts";
import { userFields } from "#schema/user.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { completeData } from "#tests/support/complete-data.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { startAs } from "#tests/support/mock-query.tsx";
import { UserSummaryDocument } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { getLastInput, openUpdateUser, renderUpdateUser, submit } from "./open-update-user.tsx";
import { storedFormValues, storedUser } from "./stored-user.ts";
import { textWithTimes } from "#tests/support/text-with-times.ts";

beforeEach(() => startAs("admin"));

test("shows the user with plan, debt and latest activity, and an input with the stored value for every declared field", async () => {
  const { user } = await openWithSummary({
    plan: "Professional, monthly",
    planEndsAt: "2027-09-23T02:00:00Z",
    pastDueSince: "2026-11-03T02:00:00Z",
    pastDueCents: 16_495,
    pastDueReason: "The card has expired",
    nextRetryAt: "2026-11-07T02:00:00Z",
    lastSignInAt: "2026-11-01T00:00:00Z",
    lastDeviceAt: "2026-11-20T00:00:00Z",
  });
  expect(await screen.findByText(textWithTimes("Past due A$164.95 since 3 Nov 2026"))).toBeTruthy();
  expect(screen.getByText(textWithTimes("The card has expired. Next retry 7 Nov 2026."))).toBeTruthy();
  expect(screen.getByText(textWithTimes("Professional, monthly, ends 23 Sep 2027"))).toBeTruthy();
  expect(screen.getByText(textWithTimes(/^Last activity: licence check 20 Nov 2026/))).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "Ada Byron" })).toBeTruthy();
  expect(document.title).toMatch(/^Update User/);
  for (const words of ["Ada Byron", "Analytical Planning", "ada@demo.test", "Regular", "Active"])
    expect(screen.getAllByText(words).length).toBeGreaterThan(0);
  expect(screen.getByRole("tab", { name: "User Details" }).getAttribute("aria-selected")).toBe("true");
  const { fullAddress, ...labelled } = getLabels(userFields);
  expect(fullAddress).toBe("Full address");
  for (const label of Object.values(labelled)) expect(field(label), label).toBeTruthy();
  for (const [label, value] of Object.entries(storedFormValues))
    expect([label, field(label).value]).toEqual([label, value]);
  expect(screen.queryByLabelText(/^Password/)).toBeNull();
  expect(["Tester", "Service provider", "Issued W-8 form"].filter((flag) => field(flag).checked)).toEqual(["Tester"]);
  expect(screen.getByRole("button", { name: "Send Password Reset" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Resend Confirmation" })).toBeNull();
  await user.clear(field("ABN"));
  await user.type(field("ABN"), "51824753556");
  expect(field("ABN").value).toBe("51 824 753 556");
});

test("sends a password reset and a confirmation email after confirmation", async () => {
  const answer = { __typename: "User", id: storedUser.id };
  const { user, requests } = await openUpdateUser(
    { SendPasswordReset: { sendPasswordReset: answer }, ResendUserConfirmation: { resendUserConfirmation: answer } },
    { ...storedUser, emailConfirmed: false },
  );
  for (const [label, operation] of [
    ["Send Password Reset", "SendPasswordReset"],
    ["Resend Confirmation", "ResendUserConfirmation"],
  ] as const) {
    await user.click(screen.getByRole("button", { name: label }));
    expect(requests.some((request) => request.operation === operation)).toBe(false);
    const dialog = await screen.findByRole("dialog", { name: label });
    await user.click(within(dialog).getByRole("button", { name: "Send email" }));
    expect(await screen.findByText("The email has been sent.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(requests.find((request) => request.operation === operation)?.variables).toEqual({ userId: storedUser.id });
    notify.clear();
  }
});

test("shows errors under their fields, focuses the first one and removes errors when they are fixed", async () => {
  const cases = [
    ["First Name", "", "First name is required."],
    ["ABN", "51 824 753", "Invalid Australian business number format."],
    ["Post Code", "400", "Invalid Australian post code."],
    ["Annual deactivation limit", "1001", "Must be less than 1000."],
  ] as const;
  const { user, sent } = await openUpdateUser();
  fill(Object.fromEntries(cases.map(([label, value]) => [label, value])));
  await submit(user);
  for (const [label, , message] of cases) await waitFor(() => expect(messageUnder(field(label))).toBe(message));
  await waitFor(() => expect(document.activeElement).toBe(field("First Name")));
  const expected = "You have one or more fields missing, please correct these and submit again.";
  expect((await screen.findByRole("alert")).textContent).toBe(expected);
  expect(sent()).toEqual([]);
  fill(storedFormValues);
  for (const [label] of cases) await waitFor(() => expect([label, messageUnder(field(label))]).toEqual([label, null]));
});

test("saves the details once with the revision that was loaded, and disables the fields meanwhile", async () => {
  let respond: (value: unknown) => void = () => undefined;
  const response = new Promise((resolve) => {
    respond = resolve;
  });
  const { user, sent, place } = await openUpdateUser({ UpdateUser: () => response });
  fill({ "First Name": "Augusta", "Member type": "2", "Annual deactivation limit": "0" });
  fireEvent.click(screen.getByRole("checkbox", { name: "Issued W-8 form" }));
  await submit(user);
  await waitFor(() => expect(field("First Name").closest("[inert]")).toBeTruthy());
  fireEvent.submit(screen.getByRole("form", { name: "User Details" }));
  respond({ updateUser: { ...storedUser, firstName: "Augusta", issuedW8Form: true, revision: 2 } });
  expect(await screen.findByText("The user details have been updated.")).toBeTruthy();
  expect(field("First Name").closest("[inert]")).toBeNull();
  expect(sent()).toHaveLength(1);
  expect(getLastInput(sent())).toMatchObject({
    firstName: "Augusta",
    memberType: "CORPORATE",
    annualDeactivationLimit: 0,
    issuedW8Form: true,
    isTester: true,
    revision: 1,
    fullAddress: storedUser.fullAddress,
    blockedMachines: [{ machineName: "BNE-PLAN-007|office" }],
  });
  expect(screen.queryByText("You have unsaved changes.")).toBeNull();
  expect(place()).toBe(`/admin/update-user/${storedUser.id}/?tab=details`);
});

test("shows each error, keeps the page and the input", async () => {
  const taken = "Another account has this email address.";
  const last = "This is the last active admin.";
  let refusal: unknown = new TypeError("Failed to fetch");
  const { user, place } = await openUpdateUser({
    UpdateUser: () => {
      if (refusal instanceof MockedError) return refusal;
      throw refusal;
    },
  });
  fill({ Email: "ada.new@demo.test" });
  const expectAlert = async (message: string, of: unknown) => {
    refusal = of;
    await submit(user);
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(message));
  };
  await expectAlert("Unable to update the user details.", new TypeError("Failed to fetch"));
  await expectAlert(taken, new MockedError("BAD_USER_INPUT", "Some values are not valid.", { email: [taken] }));
  expect(messageUnder(field("Email"))).toBe(taken);
  await expectAlert(last, new MockedError("CONFLICT", last));
  expect([place(), field("Email").value]).toEqual([
    `/admin/update-user/${storedUser.id}/?tab=details`,
    "ada.new@demo.test",
  ]);
});

test("shows an error if the details can't be loaded", async () => {
  mockApi({
    UserHeader: { user: storedUser },
    UserDetails: new MockedError("INTERNAL", "Oops, something went wrong."),
  });
  renderUpdateUser("?tab=details");
  expect(await screen.findByText("Unable to get the user details.")).toBeTruthy();
});

const openWithSummary = (userSummary: object, user: object = storedUser) =>
  openUpdateUser({ UserSummary: completeData(UserSummaryDocument, { userSummary }) }, user);

test("marks an archived, unconfirmed and blocked user with a pending cancellation, and offers no emails", async () => {
  const archived = { isActive: false, emailConfirmed: false, cancellationPendingSince: "2026-03-01T00:00:00.000Z" };
  await openWithSummary({ signInBlockedUntil: "2026-11-26T02:00:00Z" }, { ...storedUser, ...archived });
  const found = await screen.findByText(textWithTimes(/^Sign-in blocked until .* \(too many wrong passwords\)$/));
  expect(found).toBeTruthy();
  for (const words of ["Archived", "Email not confirmed", "Subscription cancellation pending"])
    expect(screen.getAllByText(words)[0]).toBeTruthy();
  for (const name of ["Send Password Reset", "Resend Confirmation"])
    expect(screen.queryByRole("button", { name })).toBeNull();
  for (const text of ["No subscription", "No activity yet"]) expect(screen.getByText(text)).toBeTruthy();
  expect(screen.queryByText(/Past due/)).toBeNull();
});

test("doesn't offer to restore a deleted account", async () => {
  for (const [deletedAt, status, restores] of [
    [null, "Archived", 1],
    ["2026-03-01T00:00:00.000Z", "Deleted", 0],
  ] as const) {
    await openWithSummary({}, { ...storedUser, isActive: false, deletedAt });
    expect((await screen.findAllByText(status))[0]).toBeTruthy();
    expect(screen.queryAllByRole("button", { name: "Restore" })).toHaveLength(restores);
    cleanup();
  }
});

test("loads the plan and what else has changed again after the user was deleted", async () => {
  const archiveUser = { __typename: "User", id: storedUser.id, isActive: false, cancellationPendingSince: null };
  const { user, requests } = await openUpdateUser({ ArchiveUser: { archiveUser } });
  const count = () => requests.filter(({ operation }) => operation === "UserSummary").length;
  await waitFor(() => expect(count()).toBe(1));
  await user.click(screen.getByRole("button", { name: "Delete" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete user" }));
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(count()).toBe(2));
});

test("says what deleting does to an admin, who has no licences and no subscription", async () => {
  const { user } = await openUpdateUser({}, { ...storedUser, memberType: "ADMIN" });
  await user.click(screen.getByRole("button", { name: "Delete" }));
  const { textContent } = await screen.findByRole("dialog", { name: "Delete user" });
  expect(textContent).toContain("They are signed out immediately. The account is archived");
  expect(textContent).not.toMatch(/licences|subscription/);
});

test("names other admins who have the form open, also without TLS, and reports when it closes", async () => {
  vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
    throw new TypeError("crypto.randomUUID is not a function");
  });
  const { requests, user } = await openUpdateUser({
    ReportOpenForm: {
      reportOpenForm: [
        { __typename: "OtherEditor", name: "Grace Hopper", since: "2026-11-26T02:00:00Z" },
        { __typename: "OtherEditor", name: "Mary Ward", since: "2026-11-26T02:00:00Z" },
      ],
    },
  });
  expect(await screen.findByText("Grace Hopper and Mary Ward")).toBeTruthy();
  expect(screen.getByText("also have this form open.", { exact: false })).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Elsewhere" }));
  await waitFor(() => {
    const sent = requests.filter(({ operation }) => operation === "ReportOpenForm").map(({ variables }) => variables);
    expect(sent.map(({ isOpen }) => isOpen)).toEqual([true, false]);
    expect(sent[1]?.tabId).toBe(sent[0]?.tabId);
  });
});
