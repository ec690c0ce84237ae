import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockApi } from "#tests/support/mock-api.ts";
import { failing, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { createAccessToken } from "#tests/support/render-web.tsx";
import { Guard } from "#web/platform/route-guard.tsx";
import { getSession } from "#web/platform/session.ts";
import { ProfileDocument, UpdateProfileDocument } from "#web/generated/graphql.ts";
import UpdateProfilePage from "#web/access/accounts/profile-form.tsx";
import EmailConfirmationPage from "#web/access/accounts/email-confirmation-panel.tsx";

const handle = "b1b4c7c2-0000-4000-8000-000000000004";

const details = {
  firstName: "Ada",
  lastName: "Byron",
  companyName: "Analytical Planning",
  position: "Planner",
  email: "ada@demo.test",
  mobile: "+61 400 000 000",
  unitNumber: "3",
  streetNumber: "120",
  streetName: "Eagle Street",
  city: "Brisbane",
  state: "QLD",
  postCode: "4000",
  country: "Australia",
  isTester: true,
  isServiceProvider: false,
};

const shown = {
  "First Name": details.firstName,
  "Last Name": details.lastName,
  "Organisation / Company Name": details.companyName,
  Position: details.position,
  Email: details.email,
  Phone: details.mobile,
  "Unit number": details.unitNumber,
  "Street number": details.streetNumber,
  "Street name": details.streetName,
  City: details.city,
  State: details.state,
  "Post Code": details.postCode,
  Country: details.country,
};

const user = (changes: object = {}) => ({ id: "user-1", ...details, ...changes });
const profile = (changes?: object) => mockQuery(ProfileDocument).returns({ me: user(changes) });

/** Mocks the update that the form sends and the API's response. */
function update(changes: Partial<typeof details>, confirmationHandle: string | null = null) {
  const { email } = details;
  const input = { ...details, fullAddress: "3/120 Eagle Street, Brisbane QLD 4000, Australia", ...changes };
  const kept = confirmationHandle ? { ...changes, email, pendingEmail: input.email } : changes;
  const updateProfile = { confirmationHandle, user: user(kept) };
  return mockQuery(UpdateProfileDocument, { input }).returns({ updateProfile });
}

beforeEach(() => startAs("regular"));

async function open(...mocks: Mock[]) {
  const form = (
    <Guard access={{ kind: "private" }}>
      <UpdateProfilePage />
    </Guard>
  );
  const pages = (
    <Routes>
      <Route path="/update-profile/" element={form} />
      <Route path="/email-confirmation/:userId/" element={<EmailConfirmationPage />} />
      <Route path="*" element={null} />
    </Routes>
  );
  const view = renderMocked(mocks, pages, "/update-profile/");
  await screen.findByLabelText("First Name");
  return view;
}

const submit = (person: UserEvent) => person.click(screen.getByRole("button", { name: "Submit" }));
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });

test("reports a failed load, and shows the title, a link back to the account and the stored values after a retry", async () => {
  const opening = open(failing(profile()), profile());
  expect(await screen.findByText("Unable to fetch the user profile.")).toBeTruthy();
  screen.getByRole("button", { name: "Try again" }).click();
  await opening;
  expect(screen.getByRole("heading", { level: 1, name: "Update profile" })).toBeTruthy();
  expect(screen.getByRole("link", { name: /My Account/ }).getAttribute("href")).toBe("/my-account/");
  for (const [label, value] of Object.entries(shown)) expect([label, field(label).value]).toEqual([label, value]);
  expect([box("I am a tester").checked, box("I am a service provider").checked]).toEqual([true, false]);
  expect([screen.queryByLabelText(/Password/), screen.queryByRole("note")]).toEqual([null, null]);
});

test("shows the error of an invalid value under its field", async () => {
  const { user: person } = await open(profile());
  fill({ Email: "ada@", "Post Code": "400" });
  await submit(person);
  await waitFor(() => expect(messageUnder(field("Email"))).toBe("Invalid email address"));
  expect(messageUnder(field("Post Code"))).toBe("Invalid Australian post code.");
});

test("fills in the address from a suggestion", async () => {
  const parts = { unitNumber: "", streetNumber: "", streetName: "", city: "Mount Isa", state: "QLD", postCode: "4825" };
  const suggestion = { id: "au:1", label: "Mount Isa QLD 4825", parts: { ...parts, country: "Australia" } };
  const requests = mockApi({ AddressSuggestions: { addressSuggestions: [suggestion] } });
  const { user: person } = await open(profile());
  await person.click(screen.getByRole("combobox", { name: "Find address" }));
  await person.paste("mount is");
  await person.click(await screen.findByRole("option", { name: "Mount Isa QLD 4825" }));
  expect(requests.at(-1)?.variables).toEqual({ text: "mount is", country: "Australia" });
  const values = ["Street number", "Street name", "City", "State", "Post Code"].map((label) => field(label).value);
  expect(values).toEqual(["120", "Eagle Street", "Mount Isa", "QLD", "4825"]);
});

test("confirms that the details were saved, stays on the page and renews the session for the name in the header", async () => {
  const accessToken = createAccessToken({ email: "augusta@demo.test" });
  const calls = mockApi({ RefreshSession: { refreshSession: { accessToken, refreshToken: "next", expiresIn: 600 } } });
  const changes = { firstName: "Augusta", companyName: "", isTester: false, isServiceProvider: true };
  const { user: person, place } = await open(profile(), profile(), update(changes));
  fill({ "First Name": "Augusta", "Organisation / Company Name": "" });
  await person.click(box("I am a tester"));
  await person.click(box("I am a service provider"));
  await submit(person);
  expect(await screen.findByText("Your profile has been successfully updated.")).toBeTruthy();
  expect(place()).toBe("/update-profile/");
  expect(field("First Name").value).toBe("Augusta");
  await waitFor(() => expect(getSession()?.claims.email).toBe("augusta@demo.test"));
  expect(calls).toHaveLength(1);
});

test("signs out after an address change and opens the confirmation page, where the address can't be changed", async () => {
  const email = "ada.new@demo.test";
  const requests = mockApi({
    SignOut: { signOut: { __typename: "DeletedObject", id: "1" } },
    EmailConfirmation: { emailConfirmation: { email, isConfirmed: false, isChange: true } },
  });
  const { user: person, place } = await open(profile(), profile(), update({ email }, handle));
  fill({ Email: email });
  await submit(person);
  await waitFor(() => expect(getSession()).toBeNull());
  expect(await screen.findByText(email)).toBeTruthy();
  expect(place()).toBe(`/email-confirmation/${handle}/`);
  expect(screen.getByText("Your profile has been successfully updated.")).toBeTruthy();
  expect(screen.getByText(/Until then, sign in with your old address/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Re-send Email" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Change Email Address" })).toBeNull();
  expect(screen.getByRole("link", { name: "Login" }).getAttribute("href")).toBe(
    "/login/?returnUrl=%2Fupdate-profile%2F",
  );
  expect(requests.map(({ operation }) => operation)).toEqual(["SignOut", "EmailConfirmation"]);
});

test("shows a pending address next to the current one, and cancels it when the current one is saved", async () => {
  const pending = () => profile({ pendingEmail: "ada.new@demo.test" });
  const { user: person } = await open(pending(), pending(), update({}));
  expect(screen.getByRole("note").textContent).toMatch(
    /^ada\.new@demo\.test is not confirmed yet\. Until then, sign in with ada@demo\.test\./,
  );
  expect(field("Email").value).toBe("ada@demo.test");
  await submit(person);
  expect(await screen.findByText("Your profile has been successfully updated.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("note")).toBeNull());
});

test("keeps what another tab has saved since in the fields that weren't edited", async () => {
  const elsewhere = { mobile: "+61 400 000 009", isServiceProvider: true };
  const { user: person } = await open(profile(), profile(elsewhere), update({ ...elsewhere, position: "Director" }));
  fill({ Position: "Director" });
  await submit(person);
  expect(await screen.findByText("Your profile has been successfully updated.")).toBeTruthy();
  expect([field("Phone").value, box("I am a service provider").checked]).toEqual([elsewhere.mobile, true]);
});
