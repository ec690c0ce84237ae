import { fireEvent, screen, waitFor } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { getLabels } from "#schema/fields/field.ts";
import { userFields } from "#schema/fields/user.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import DataLayer from "#web/platform/data-layer.tsx";
import UpdateUserPage from "#web/pages/admin/update-user.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getLastInput, openUpdateUser, mockSavedUser, submit } from "./open-update-user.tsx";
import { storedFormValues, storedUser } from "./stored-user.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

test("has an input for every declared field", async () => {
  await openUpdateUser();
  const { fullAddress, ...labelled } = getLabels(userFields);
  expect(fullAddress).toBe("Full address");
  for (const label of Object.values(labelled)) expect(field(label), label).toBeTruthy();
});

test("shows the user and their stored details", async () => {
  await openUpdateUser();
  expect(screen.getByRole("heading", { level: 1, name: "Update User" })).toBeTruthy();
  for (const words of ["Ada Byron", "Analytical Planning", "Regular", "Active"])
    expect(screen.getAllByText(words).length).toBeGreaterThan(0);
  expect(screen.getByRole("tab", { name: "User Details" }).getAttribute("aria-selected")).toBe("true");
  for (const [label, value] of Object.entries(storedFormValues))
    expect([label, field(label).value]).toEqual([label, value]);
  expect(screen.queryByLabelText(/^Password/)).toBeNull();
  for (const flag of [
    "Service provider",
    "Tester",
    "Issued W-8 form",
    "Completed security information",
    "Completed software QA",
    "Subscribed to newsletter",
    "Has completed trial",
  ])
    expect([flag, screen.getByRole<HTMLInputElement>("checkbox", { name: flag }).checked]).toEqual([
      flag,
      flag === "Tester",
    ]);
});

test("marks an archived user with an unconfirmed email address", async () => {
  await openUpdateUser({}, { ...storedUser, isActive: false, emailConfirmed: false, memberType: 2 });
  for (const words of ["Archived", "Email not confirmed", "Corporate"])
    expect(screen.getAllByText(words)[0]).toBeTruthy();
});

test("shows that cancelling the subscription of an archived user is pending", async () => {
  await openUpdateUser({}, { ...storedUser, isActive: false, cancellationPendingSince: "2026-03-01T00:00:00.000Z" });
  expect(screen.getAllByText("Subscription cancellation pending")[0]).toBeTruthy();
});

test("shows errors under their fields, focuses the first one and removes errors when they are fixed", async () => {
  const cases = [
    ["First Name", "", "First name is required."],
    ["Last Name", "B", "First name must have at least 2 characters."],
    ["Phone", "", "Mobile is required."],
    ["Email", "ada@", "Invalid email address"],
    ["ABN", "51 824 753", "Invalid Australian business number format."],
    ["Street number", "", "Street number is required."],
    ["Street name", "", "Street name is required."],
    ["City", "", "City is required."],
    ["State", "", "State is required."],
    ["Post Code", "400", "Invalid Australian post code."],
    ["Annual deactivation limit", "", "Annual deactivation limit is required."],
  ] as const;
  const { user, sent } = await openUpdateUser();
  fill(Object.fromEntries(cases.map(([label, value]) => [label, value])));
  await submit(user);
  for (const [label, , message] of cases) await waitFor(() => expect(messageUnder(field(label))).toBe(message));
  await waitFor(() => expect(document.activeElement).toBe(field("First Name")));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "You have one or more fields missing, please correct these and submit again.",
  );
  expect(sent()).toEqual([]);
  fill(storedFormValues);
  for (const [label] of cases) await waitFor(() => expect([label, messageUnder(field(label))]).toEqual([label, null]));
});

test.each([
  ["-1", "Must be greater than 0."],
  ["1001", "Must be less than 1000."],
])("rejects an annual deactivation limit of %s: %s", async (value, message) => {
  const { user } = await openUpdateUser();
  fill({ "Annual deactivation limit": value });
  await submit(user);
  await waitFor(() => expect(messageUnder(field("Annual deactivation limit"))).toBe(message));
});

test("saves the details with the revision that was loaded", async () => {
  const { user, sent, place } = await openUpdateUser(mockSavedUser({ firstName: "Augusta", issuedW8Form: true }));
  fill({ "First Name": "Augusta", "Member type": "2", "Annual deactivation limit": "0" });
  await user.click(screen.getByRole("checkbox", { name: "Issued W-8 form" }));
  await submit(user);
  expect(await screen.findByText("The user details have been updated.")).toBeTruthy();
  expect(getLastInput(sent())).toMatchObject({
    firstName: "Augusta",
    memberType: 2,
    annualDeactivationLimit: 0,
    issuedW8Form: true,
    isTester: true,
    revision: 1,
    fullAddress: storedUser.fullAddress,
    blockedMachines: [{ machineName: "BNE-PLAN-007|office" }],
  });
  expect(screen.queryByText("You have unsaved changes.")).toBeNull();
  expect(place()).toBe(`/admin/update-user/${storedUser.id}/`);
});

test("disables the fields while saving and sends the form only once", async () => {
  let respond: (value: unknown) => void = () => undefined;
  const response = new Promise((resolve) => {
    respond = resolve;
  });
  const { user, sent } = await openUpdateUser({ UpdateUser: () => response });
  fill({ "First Name": "Augusta" });
  await submit(user);
  await waitFor(() => expect(field("First Name").closest("[inert]")).toBeTruthy());
  fireEvent.submit(screen.getByRole("form", { name: "User Details" }));
  respond({ updateUser: { ...storedUser, firstName: "Augusta", revision: 2 } });
  await screen.findByText("The user details have been updated.");
  expect(field("First Name").closest("[inert]")).toBeNull();
  expect(sent()).toHaveLength(1);
});

test.each([
  [
    new MockedError("BAD_USER_INPUT", "Some values are not valid.", {
      email: ["Another account has this email address."],
    }),
    "Another account has this email address.",
  ],
  [
    new MockedError("CONFLICT", "This is the last active admin. Give another user the admin type first."),
    "This is the last active admin. Give another user the admin type first.",
  ],
  [
    new MockedError("CONFLICT", "This customer has an active subscription.", {
      memberType: ["This customer has an active subscription."],
    }),
    "This customer has an active subscription.",
  ],
  [new MockedError("INTERNAL", "Oops, something went wrong."), "Unable to update the user details."],
])("shows an error and keeps the input: %#", async (refusal, message) => {
  const { user } = await openUpdateUser({ UpdateUser: () => refusal });
  fill({ Email: "ada.new@demo.test" });
  await submit(user);
  expect((await screen.findByRole("alert")).textContent).toBe(message);
  if (refusal.fields?.email) expect(messageUnder(field("Email"))).toBe("Another account has this email address.");
  if (refusal.fields?.memberType) expect(messageUnder(field("Member type"))).toBe(message);
  expect(field("Email").value).toBe("ada.new@demo.test");
});

test("keeps the page and the input if the request fails", async () => {
  const { user, place } = await openUpdateUser({
    UpdateUser: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  fill({ "First Name": "Augusta" });
  await submit(user);
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to update the user details.");
  expect([place(), field("First Name").value]).toEqual([`/admin/update-user/${storedUser.id}/`, "Augusta"]);
});

test("shows an error if the details can't be loaded", async () => {
  mockApi({
    UserHeader: { user: storedUser },
    UserDetails: new MockedError("INTERNAL", "Oops, something went wrong."),
  });
  renderWeb(
    <Routes>
      <Route
        path="/admin/update-user/:id/"
        element={
          <DataLayer>
            <UpdateUserPage />
          </DataLayer>
        }
      />
    </Routes>,
    { at: `/admin/update-user/${storedUser.id}/` },
  );
  expect(await screen.findByText("Unable to get the user details.")).toBeTruthy();
});

test("formats the ABN while typing", async () => {
  const { user } = await openUpdateUser();
  await user.clear(field("ABN"));
  await user.type(field("ABN"), "51824753556");
  expect(field("ABN").value).toBe("51 824 753 556");
});

test("shows stored scripts as text", async () => {
  const script = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
  const texts = [
    "firstName",
    "lastName",
    "companyName",
    "position",
    "mobile",
    "abn",
    "referrer",
    "unitNumber",
    "streetNumber",
    "streetName",
    "city",
    "postCode",
  ];
  const hostile = Object.fromEntries(texts.map((name) => [name, script]));
  const blockedMachines = [
    { __typename: "BlockedMachine", id: "m1", machineName: script, blockedAt: "2025-12-05T02:00:00Z" },
  ];
  const { container } = await openUpdateUser({}, { ...storedUser, ...hostile, blockedMachines });
  expect(field("Company name").value).toBe(script);
  expect(screen.getByText(`${script} ${script}`)).toBeTruthy();
  expect(container.querySelector("img[src=x], script")).toBeNull();
  expect((window as { hacked?: number }).hacked).toBeUndefined();
});
