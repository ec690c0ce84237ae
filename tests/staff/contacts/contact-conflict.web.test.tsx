import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import DataLayer from "#web/platform/data-layer.tsx";
import { ContactsTab } from "#web/staff/contacts/contacts-tab.tsx";
import { notify } from "#web/platform/notifications.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

const contact = {
  __typename: "Contact",
  id: "c-1",
  firstName: "Wendy",
  lastName: "O'Hara",
  email: "wendy@example.com",
  phone: "07 3000 0000",
  contactType: 2,
  revision: 1,
};
const theirs = { ...contact, revision: 2, email: "w.ohara@example.com", phone: "07 1111 1111", contactType: 6 };
const toResponse = (one: object) => ({ user: { __typename: "User", id: "user-1", contacts: [one] } });
const stale = () => new MockedError("CONFLICT", "This contact was changed.", undefined, "STALE_REVISION");
const changes = [
  {
    __typename: "StaffChange",
    at: "2026-01-01T00:00:00Z",
    actorName: "Grace Hopper <grace@demo.test>",
    fields: ["contactType", "email", "phone"],
  },
];

async function openForm(answers: Parameters<typeof mockApi>[0]) {
  const requests = mockApi({ UserContacts: toResponse(contact), ...answers });
  const view = renderWeb(
    <DataLayer>
      <ContactsTab userId="user-1" />
    </DataLayer>,
  );
  await view.user.click(await screen.findByRole("button", { name: "Actions for Wendy O'Hara" }));
  await view.user.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const form = within(await screen.findByRole("dialog", { name: "Update contact" }));
  const sent = () =>
    requests.filter(({ operation }) => operation === "UpdateContact").map(({ variables }) => variables);
  return { user: view.user, save: () => view.user.click(form.getByRole("button", { name: "Save" })), sent };
}

test.each([
  ["Take theirs", "07 1111 1111"],
  ["Keep mine", "07 2222 2222"],
])("shows another admin's change next to the input and keeps the input: %s", async (choice, phone) => {
  let calls = 0;
  const { user, save, sent } = await openForm({
    UpdateContact: () => (calls++ === 0 ? stale() : { updateContact: { ...theirs, revision: 3 } }),
    ContactSince: { ...toResponse(theirs), contactChanges: changes },
  });
  fill({ "First Name": "Gwendolyn", Phone: "07 2222 2222" });
  await save();
  expect((await screen.findByText(/saved this contact while you were editing/)).textContent).toContain("Grace Hopper");
  expect(screen.getByText("Updated with their changes: Email, Contact type.")).toBeTruthy();
  expect((await screen.findByRole("group", { name: "Phone: which value?" })).textContent).toContain(
    "PhoneGrace Hopper07 1111 1111You07 2222 2222",
  );
  expect(["First Name", "Phone", "Email", "Contact type"].map((label) => field(label).value)).toEqual([
    "Gwendolyn",
    "07 2222 2222",
    "w.ohara@example.com",
    "6",
  ]);
  await save();
  expect(await screen.findByText(/Please choose a value for each field/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: `${choice} for Phone` }));
  await save();
  expect(await screen.findByText("The contact has been successfully updated.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent()).toMatchObject([
    { revision: 1 },
    {
      revision: 2,
      input: { firstName: "Gwendolyn", phone, email: "w.ohara@example.com", contactType: 6 },
    },
  ]);
});

test("keeps the form and its input if the contact was deleted in the meantime", async () => {
  const { save } = await openForm({
    UpdateContact: () => new MockedError("NOT_FOUND", "Sorry, we could not find what you asked for."),
  });
  fill({ Phone: "07 2222 2222" });
  await save();
  expect(await screen.findByText("Sorry, we could not find what you asked for.")).toBeTruthy();
  expect(field("Phone").value).toBe("07 2222 2222");
});
