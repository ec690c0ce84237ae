import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test, vi } from "vitest";
import { contactFields } from "#schema/contact.ts";
import { getLabels } from "#schema/field.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { ContactsTab } from "#web/staff/contacts/contacts-tab.tsx";
import {
  AddContactDocument,
  DeleteContactDocument,
  RestoreContactDocument,
  UpdateContactDocument,
  UserContactsDocument,
} from "#web/generated/graphql.ts";
import DataLayer from "#web/platform/data-layer.tsx";
import { notify } from "#web/platform/notifications.ts";

type Mock = MockLink.MockedResponse;

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

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
const list = (...contacts: unknown[]): Mock => ({
  request: { query: UserContactsDocument, variables: { userId: "user-1" } },
  result: { data: { user: { __typename: "User", id: "user-1", contacts } } },
});
const adding = (result: Mock["result"] = { data: { addContact: contact("c-1") } }): Mock => ({
  request: { query: AddContactDocument, variables: { userId: "user-1", input } },
  result,
});
const errorResult = (code: string, message: string) => ({
  errors: [new GraphQLError(message, { extensions: { code } })],
});

function open(...mocks: Mock[]) {
  return renderWeb(
    <MockedProvider mocks={mocks}>
      <ContactsTab userId="user-1" />
    </MockedProvider>,
  );
}

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
  expect(screen.getAllByRole("columnheader").map((header) => header.textContent)).toEqual([
    "First Name",
    "Last Name",
    "Email",
    "Phone",
    "Contact type",
    "Actions",
  ]);
  expect(screen.getByText("<img src=x onerror=alert(1)>")).toBeTruthy();
  expect(document.querySelector("img[src=x]")).toBeNull();
  expect(screen.getByRole("link", { name: "a?cc=b@example.com" }).getAttribute("href")).toBe(
    "mailto:a%3Fcc%3Db@example.com",
  );
});

test("has a field for each declared one, shows the messages, keeps the input after an error, and creates a contact", async () => {
  const deleted = "This account was deleted. Nothing can be added to it.";
  const view = open(
    { request: list().request, result: errorResult("INTERNAL", "") },
    list(),
    adding(errorResult("INTERNAL", "")),
    adding(errorResult("CONFLICT", deleted)),
    adding(),
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
  const again = await openForm(view);
  for (const label of Object.keys(typed)) expect(field(label).value).toBe("");
  await view.user.click(again.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("shows the stored values and saves an edited contact", async () => {
  const changed = { ...input, contactType: "USER" };
  const update = (result: Mock["result"]): Mock => ({
    request: { query: UpdateContactDocument, variables: { userId: "user-1", id: "c-1", input: changed, revision: 1 } },
    result,
  });
  const view = open(
    list(contact("c-1")),
    update(errorResult("INTERNAL", "")),
    update({ data: { updateContact: contact("c-1", { contactType: "USER" }) } }),
    list(contact("c-1", { contactType: "USER" })),
  );
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
  const removal = (result: Mock["result"]): Mock => ({
    request: { query: DeleteContactDocument, variables: { userId: "user-1", id: "c-1" } },
    result,
  });
  const unchanged = vi.fn(() => list(contact("c-1")).result as object);
  const view = open(
    list(contact("c-1")),
    removal(errorResult("INTERNAL", "")),
    { ...list(), result: unchanged },
    removal({ data: { deleteContact: { __typename: "DeletedObject", id: "1" } } }),
    list(),
    {
      request: { query: RestoreContactDocument, variables: { userId: "user-1", id: "c-1" } },
      result: { data: { restoreContact: contact("c-1") } },
    },
    list(contact("c-1")),
  );
  const openDeleteDialog = async () => {
    await view.user.click(await screen.findByRole("button", { name: "Actions for Wendy O'Hara" }));
    await view.user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    return within(await screen.findByRole("dialog", { name: "Delete contact" }));
  };
  await view.user.click((await openDeleteDialog()).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await view.user.click((await openDeleteDialog()).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("Unable to delete the contact.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(unchanged).toHaveBeenCalled());
  await view.user.click((await openDeleteDialog()).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("The contact has been successfully deleted.")).toBeTruthy();
  expect(await screen.findByText("No Contacts.")).toBeTruthy();
  await screen.findByRole("button", { name: "Undo" });
  await view.user.keyboard("u{Enter}");
  expect(await screen.findByText("The contact has been restored.")).toBeTruthy();
  expect(await screen.findByText("O'Hara")).toBeTruthy();
});

test("shows another admin's change next to the input, keeps the input, and keeps the form if the contact was deleted", async () => {
  const theirs = contact("c-1", {
    revision: 2,
    email: "w.ohara@example.com",
    phone: "07 1111 1111",
    contactType: "USER",
  });
  const toResponse = (one: object) => ({ user: { __typename: "User", id: "user-1", contacts: [one] } });
  const change = {
    __typename: "StaffChange",
    at: "2026-01-01T00:00:00Z",
    actorName: "Grace Hopper <grace@demo.test>",
    fields: ["contactType", "email", "phone"],
  };
  const answers = [
    new MockedError("NOT_FOUND", "Sorry, we could not find what you asked for."),
    new MockedError("CONFLICT", "This contact was changed.", undefined, "STALE_REVISION"),
    { updateContact: { ...theirs, revision: 3 } },
  ];
  const requests = mockApi({
    UserContacts: toResponse(contact("c-1")),
    UpdateContact: () => answers.shift(),
    ContactSince: { ...toResponse(theirs), contactChanges: [change] },
  });
  const { user } = renderWeb(
    <DataLayer>
      <ContactsTab userId="user-1" />
    </DataLayer>,
  );
  await user.click(await screen.findByRole("button", { name: "Actions for Wendy O'Hara" }));
  await user.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const form = within(await screen.findByRole("dialog", { name: "Update contact" }));
  const save = () => user.click(form.getByRole("button", { name: "Save" }));
  fill({ "First Name": "Gwendolyn", Phone: "07 2222 2222" });
  await save();
  expect(await screen.findByText("Sorry, we could not find what you asked for.")).toBeTruthy();
  await save();
  expect((await screen.findByText(/saved this contact while you were editing/)).textContent).toContain("Grace Hopper");
  expect(screen.getByText("Updated with their changes: Email, Contact type.")).toBeTruthy();
  expect((await screen.findByRole("group", { name: "Phone: which value?" })).textContent).toContain(
    "PhoneGrace Hopper07 1111 1111You07 2222 2222",
  );
  expect(Object.keys(typed).map((label) => field(label).value)).toEqual([
    "Gwendolyn",
    "O'Hara",
    "w.ohara@example.com",
    "07 2222 2222",
    "6",
  ]);
  await save();
  expect(await screen.findByText(/Please choose a value for each field/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Keep mine for Phone" }));
  await save();
  expect(await screen.findByText("The contact has been successfully updated.")).toBeTruthy();
  const { email, contactType } = theirs as never as typeof input;
  expect(requests.filter(({ operation }) => operation === "UpdateContact").at(-1)?.variables).toMatchObject({
    revision: 2,
    input: { firstName: "Gwendolyn", phone: "07 2222 2222", email, contactType },
  });
});
