import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { contactFields } from "#schema/contact.ts";
import { getLabels } from "#schema/field.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import {
  failing,
  listColumns,
  type Mock,
  mockQuery,
  renderLoaded,
  renderMocked,
  startAs,
} from "#tests/support/mock-query.tsx";
import { ContactsTab } from "#web/staff/contacts/contacts-tab.tsx";
import {
  AddContactDocument,
  DeleteContactDocument,
  RestoreContactDocument,
  UpdateContactDocument,
  UserContactsDocument,
} from "#web/generated/graphql.ts";

beforeEach(() => startAs("admin"));

const input = {
  firstName: "Wendy",
  lastName: "O'Hara",
  email: "wendy@example.com",
  phone: "07 3000 0000",
  contactType: "ACCOUNTS",
};
const contact = (id: string, changes: object = {}) => ({
  __typename: "Contact",
  id,
  ...input,
  revision: 1,
  ...changes,
});
const list = (...contacts: unknown[]) =>
  mockQuery(UserContactsDocument, { userId: "user-1" }).returns({ user: { id: "user-1", contacts } });
const open = (...mocks: Mock[]) => renderMocked(mocks, <ContactsTab userId="user-1" />);

const typed = {
  "First Name": "Wendy",
  "Last Name": "O'Hara",
  Email: "wendy@example.com",
  Phone: "07 3000 0000",
  "Contact type": "2",
};

async function openForm(view: ReturnType<typeof open>) {
  await view.user.click(screen.getByRole("button", { name: "Create A Contact" }));
  return within(await screen.findByRole("dialog", { name: "Create A Contact" }));
}

test("lists ten contacts per page with their type, and shows scripts as text", async () => {
  const hostile = contact("c-2", { firstName: "<img src=x onerror=alert(1)>", email: "a?cc=b@example.com" });
  open(list(contact("c-1"), hostile, ...Array.from({ length: 9 }, (_, n) => contact(`c-${n + 3}`))));
  expect(await screen.findByText("1–10 of 11")).toBeTruthy();
  expect(await screen.findByText("Accounts", { selector: "tr:first-child td" })).toBeTruthy();
  expect(listColumns()).toBe("First Name | Last Name | Email | Phone | Contact type | Actions");
  expect(screen.getByText("<img src=x onerror=alert(1)>")).toBeTruthy();
  expect(document.querySelector("img[src=x]")).toBeNull();
  const href = "mailto:a%3Fcc%3Db@example.com";
  expect(screen.getByRole("link", { name: "a?cc=b@example.com" }).getAttribute("href")).toBe(href);
});

test("has a field for each declared one, shows the messages, keeps the input after an error, and creates a contact", async () => {
  const deleted = "This account was deleted. Nothing can be added to it.";
  const adding = mockQuery(AddContactDocument, { userId: "user-1", input });
  const view = open(
    failing(list()),
    list(),
    adding.fails(),
    adding.fails("CONFLICT", deleted),
    list(),
    adding.returns({ addContact: contact("c-1") }),
    list(contact("c-1")),
  );
  expect(await screen.findByText("Unable to get the user details.")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No Contacts.")).toBeTruthy();
  const form = await openForm(view);
  for (const label of Object.values(getLabels(contactFields))) expect(field(label), label).toBeTruthy();
  const save = () => view.user.click(form.getByRole("button", { name: "Save" }));
  await save();
  await waitFor(() => expect(messageUnder(field("First Name"))).toBe("First name is required."));
  expect(Object.keys(typed).map((label) => messageUnder(field(label)))).toEqual([
    "First name is required.",
    "Last name is required.",
    "Email is required.",
    "Phone is required.",
    "Contact type is required.",
  ]);
  await waitFor(() => expect(document.activeElement).toBe(field("First Name")));
  fill(typed);
  await save();
  expect(await screen.findByText("Unable to add the contact.")).toBeTruthy();
  expect(field("Email").value).toBe("wendy@example.com");
  await save();
  expect(await screen.findByText(deleted)).toBeTruthy();
  await save();
  expect(await screen.findByText("The contact has been successfully saved.")).toBeTruthy();
  expect(await screen.findByRole("link", { name: "wendy@example.com" })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await openForm(view);
  for (const label of Object.keys(typed)) expect(field(label).value).toBe("");
});

test("shows the stored values and saves an edited contact", async () => {
  const changed = { ...input, contactType: "USER" };
  const update = mockQuery(UpdateContactDocument, { userId: "user-1", id: "c-1", input: changed, revision: 1 });
  const updateContact = contact("c-1", { contactType: "USER" });
  const view = open(list(contact("c-1")), update.fails(), update.returns({ updateContact }), list(updateContact));
  await view.user.click(await screen.findByRole("button", { name: "Actions for Wendy O'Hara" }));
  await view.user.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const form = within(await screen.findByRole("dialog", { name: "Update contact" }));
  expect(Object.keys(typed).map((label) => field(label).value)).toEqual(Object.values(typed));
  fill({ "Contact type": "6" });
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Unable to update the contact.")).toBeTruthy();
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The contact has been successfully updated.")).toBeTruthy();
  expect(await screen.findByText("User", { selector: "td" })).toBeTruthy();
});

test("deletes a contact after confirmation and reloads the list after an error", async () => {
  const removal = mockQuery(DeleteContactDocument, { userId: "user-1", id: "c-1" });
  const unchanged = vi.fn(() => list(contact("c-1")).result as object);
  const view = open(
    list(contact("c-1")),
    removal.fails(),
    { ...list(), result: unchanged },
    removal.returns({ deleteContact: { id: "1" } }),
    list(),
    mockQuery(RestoreContactDocument, { userId: "user-1", id: "c-1" }).returns({ restoreContact: contact("c-1") }),
    list(contact("c-1")),
  );
  const openDeleteDialog = async () => {
    await view.user.click(await screen.findByRole("button", { name: "Actions for Wendy O'Hara" }));
    await view.user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    return within(await screen.findByRole("dialog", { name: "Delete contact" }));
  };
  await view.user.click((await openDeleteDialog()).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("Unable to delete the contact.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(unchanged).toHaveBeenCalled());
  await view.user.click((await openDeleteDialog()).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("The contact has been successfully deleted.")).toBeTruthy();
  expect(await screen.findByText("No Contacts.")).toBeTruthy();
  await screen.findByRole("button", { name: "Undo" });
  await view.user.keyboard("u{Enter}");
  for (const text of ["The contact has been restored.", "O'Hara"]) expect(await screen.findByText(text)).toBeTruthy();
});

test("opens the form of a link only for staff who may add contacts", async () => {
  for (const [role, forms] of [
    ["support", 1],
    ["finance", 0],
  ] as const) {
    startAs("admin", { staffRoles: [role] });
    const { place, unmount } = renderMocked([list(contact("c-1"))], <ContactsTab userId="user-1" />, "/?action=add");
    expect(await screen.findByText("wendy@example.com")).toBeTruthy();
    await waitFor(() => expect(place()).toBe("/"));
    await waitFor(() => expect(screen.queryAllByRole("dialog")).toHaveLength(forms));
    unmount();
  }
});

test("shows another admin's change next to the input, and keeps the form if the contact was deleted", async () => {
  const theirs = contact("c-1", { revision: 2, email: "w.ohara@example.com", phone: "07 1111 1111" });
  const toResponse = (one: object) => ({ user: { __typename: "User", id: "user-1", contacts: [one] } });
  const change = { at: "2026-01-01T00:00:00Z", actorName: "Grace Hopper", fields: ["email", "phone"] };
  const answers = [
    new MockedError("NOT_FOUND", "Sorry, we could not find what you asked for."),
    new MockedError("CONFLICT", "This contact was changed.", undefined, "STALE_REVISION"),
    { updateContact: { ...theirs, revision: 3 } },
  ];
  const requests = mockApi({
    UserContacts: toResponse(contact("c-1")),
    UpdateContact: () => answers.shift(),
    ContactSince: { ...toResponse(theirs), contactChanges: [{ __typename: "StaffChange", ...change }] },
  });
  const { user } = renderLoaded(<ContactsTab userId="user-1" />);
  await user.click(await screen.findByRole("button", { name: "Actions for Wendy O'Hara" }));
  await user.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const form = within(await screen.findByRole("dialog", { name: "Update contact" }));
  const save = () => user.click(form.getByRole("button", { name: "Save" }));
  fill({ Phone: "07 2222 2222" });
  await save();
  expect(await screen.findByText("Sorry, we could not find what you asked for.")).toBeTruthy();
  await save();
  const expected = "PhoneGrace Hopper07 1111 1111You07 2222 2222";
  expect((await screen.findByRole("group", { name: "Phone: which value?" })).textContent).toContain(expected);
  await user.click(screen.getByRole("button", { name: "Keep mine for Phone" }));
  expect(document.activeElement).toBe(form.getByLabelText("Phone"));
  await save();
  expect(await screen.findByText("The contact has been successfully updated.")).toBeTruthy();
  expect(requests.filter(({ operation }) => operation === "UpdateContact").at(-1)?.variables).toMatchObject({
    revision: 2,
    input: { phone: "07 2222 2222", email: "w.ohara@example.com" },
  });
});
