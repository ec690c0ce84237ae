import { fireEvent, screen, waitFor } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { labelsOf } from "#schema/fields/field.ts";
import { userFields } from "#schema/fields/user.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { playApi, Refusal } from "#tests/support/play-api.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import DataLayer from "#web/platform/data-layer.tsx";
import UpdateUserPage from "#web/pages/admin/update-user.tsx";
import { notify } from "#web/platform/notifications.ts";
import { inputOf, open, saved, submit } from "./open-update-user.tsx";
import { labels, stored } from "./shown-user.ts";

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("admin");
});

test("the form has an input for every declared field", async () => {
  await open();
  const { fullAddress, ...labelled } = labelsOf(userFields);
  expect(fullAddress).toBe("Full Address");
  for (const label of Object.values(labelled)) expect(field(label), label).toBeTruthy();
});

test("the page says whose it is and begins with what is stored", async () => {
  await open();
  expect(screen.getByRole("heading", { level: 1, name: "Update User" })).toBeTruthy();
  for (const words of ["Ada Byron", "Analytical Planning", "Regular", "Active"])
    expect(screen.getAllByText(words).length).toBeGreaterThan(0);
  expect(screen.getByRole("tab", { name: "User Details" }).getAttribute("aria-selected")).toBe("true");
  for (const [label, value] of Object.entries(labels)) expect([label, field(label).value]).toEqual([label, value]);
  expect(screen.queryByLabelText(/^Password/)).toBeNull();
  for (const flag of [
    "Service Provider",
    "Tester",
    "Issued W8 Form",
    "Completed Security Information",
    "Completed Software QA",
    "Subscribed To Newsletter",
    "Has Completed Trial",
  ])
    expect([flag, screen.getByRole<HTMLInputElement>("checkbox", { name: flag }).checked]).toEqual([
      flag,
      flag === "Tester",
    ]);
});

test("an archived user whose address is not confirmed is marked so", async () => {
  await open({}, { ...stored, isActive: false, emailConfirmed: false, memberType: 2 });
  for (const words of ["Archived", "Email not confirmed", "Corporate"])
    expect(screen.getAllByText(words)[0]).toBeTruthy();
});

test("shows staff that the subscription of an archived user is still to be cancelled", async () => {
  await open({}, { ...stored, isActive: false, cancellationPendingSince: "2026-03-01T00:00:00.000Z" });
  expect(screen.getAllByText("Subscription cancellation pending")[0]).toBeTruthy();
});

test("faults are told under their fields, the first one has the focus, and each goes when it is mended", async () => {
  const faults = [
    ["First Name", "", "First name is required."],
    ["Last Name", "B", "First name must have at least 2 characters."],
    ["Phone", "", "Mobile is required."],
    ["Email", "ada@", "Invalid email address"],
    ["ABN", "51 824 753", "Invalid Australian business number format."],
    ["Street Number", "", "Street number is required."],
    ["Street Name", "", "Street name is required."],
    ["City", "", "City is required."],
    ["State", "", "State is required."],
    ["Post Code", "400", "Invalid Australian post code."],
    ["Annual Deactivation Limit", "", "Annual deactivation limit is required."],
  ] as const;
  const { user: person, sent } = await open();
  fill(Object.fromEntries(faults.map(([label, value]) => [label, value])));
  await submit(person);
  for (const [label, , message] of faults) await waitFor(() => expect(messageUnder(field(label))).toBe(message));
  await waitFor(() => expect(document.activeElement).toBe(field("First Name")));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "You have one or more fields missing, please correct these and submit again.",
  );
  expect(sent()).toEqual([]);
  fill(labels);
  for (const [label] of faults) await waitFor(() => expect([label, messageUnder(field(label))]).toEqual([label, null]));
});

test.each([
  ["-1", "Must be greater than 0."],
  ["1001", "Must be less than 1000."],
])("an annual deactivation limit of %s says: %s", async (value, message) => {
  const { user: person } = await open();
  fill({ "Annual Deactivation Limit": value });
  await submit(person);
  await waitFor(() => expect(messageUnder(field("Annual Deactivation Limit"))).toBe(message));
});

test("saved details are confirmed, with the revision that the form began with", async () => {
  const { user: person, sent, place } = await open(saved({ firstName: "Augusta", issuedW8Form: true }));
  fill({ "First Name": "Augusta", "Member Type": "2", "Annual Deactivation Limit": "0" });
  await person.click(screen.getByRole("checkbox", { name: "Issued W8 Form" }));
  await submit(person);
  expect(await screen.findByText("The user details have been updated.")).toBeTruthy();
  expect(inputOf(sent())).toMatchObject({
    firstName: "Augusta",
    memberType: 2,
    annualDeactivationLimit: 0,
    issuedW8Form: true,
    isTester: true,
    revision: 1,
    fullAddress: stored.fullAddress,
    blockedMachines: [{ machineName: "BNE-PLAN-007|office" }],
  });
  expect(screen.queryByText("You have changes that are not saved yet.")).toBeNull();
  expect(place()).toBe(`/admin/update-user/${stored.id}/`);
});

test("while it is being saved the fields are blocked and nothing is sent twice", async () => {
  let answer: (value: unknown) => void = () => undefined;
  const waiting = new Promise((resolve) => {
    answer = resolve;
  });
  const { user: person, sent } = await open({ UpdateUser: () => waiting });
  fill({ "First Name": "Augusta" });
  await submit(person);
  await waitFor(() => expect(field("First Name").closest("[inert]")).toBeTruthy());
  fireEvent.submit(screen.getByRole("form", { name: "User Details" }));
  answer({ updateUser: { ...stored, firstName: "Augusta", revision: 2 } });
  await screen.findByText("The user details have been updated.");
  expect(field("First Name").closest("[inert]")).toBeNull();
  expect(sent()).toHaveLength(1);
});

test.each([
  [
    new Refusal("BAD_USER_INPUT", "Some values are not valid.", { email: ["Another account has this email address."] }),
    "Another account has this email address.",
  ],
  [
    new Refusal("CONFLICT", "This is the last active admin. Give another user the admin type first."),
    "This is the last active admin. Give another user the admin type first.",
  ],
  [
    new Refusal("CONFLICT", "This customer has a running subscription.", {
      memberType: ["This customer has a running subscription."],
    }),
    "This customer has a running subscription.",
  ],
  [new Refusal("INTERNAL", "Oops, something went wrong."), "Unable to update the user details."],
])("a refusal is told and nothing typed is lost: %#", async (refusal, said) => {
  const { user: person } = await open({ UpdateUser: () => refusal });
  fill({ Email: "ada.new@demo.test" });
  await submit(person);
  expect((await screen.findByRole("alert")).textContent).toBe(said);
  if (refusal.fields?.email) expect(messageUnder(field("Email"))).toBe("Another account has this email address.");
  if (refusal.fields?.memberType) expect(messageUnder(field("Member Type"))).toBe(said);
  expect(field("Email").value).toBe("ada.new@demo.test");
});

test("without an answer the person stays on the page with what they typed", async () => {
  const { user: person, place } = await open({
    UpdateUser: () => {
      throw new TypeError("Failed to fetch");
    },
  });
  fill({ "First Name": "Augusta" });
  await submit(person);
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to update the user details.");
  expect([place(), field("First Name").value]).toEqual([`/admin/update-user/${stored.id}/`, "Augusta"]);
});

test("details that can't be fetched say so", async () => {
  playApi({ UserHeader: { user: stored }, UserDetails: new Refusal("INTERNAL", "Oops, something went wrong.") });
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
    { at: `/admin/update-user/${stored.id}/` },
  );
  expect(await screen.findByText("Unable to get the user details.")).toBeTruthy();
});

test("the mask of the ABN fills itself in", async () => {
  const { user: person } = await open();
  await person.clear(field("ABN"));
  await person.type(field("ABN"), "51824753556");
  expect(field("ABN").value).toBe("51 824 753 556");
});

test("a stored script in any text is shown as text", async () => {
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
  const { container } = await open({}, { ...stored, ...hostile, blockedMachines });
  expect(field("Company Name").value).toBe(script);
  expect(screen.getByText(`${script} ${script}`)).toBeTruthy();
  expect(container.querySelector("img[src=x], script")).toBeNull();
  expect((window as { hacked?: number }).hacked).toBeUndefined();
});
