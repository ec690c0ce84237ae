import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { contactFields } from "#schema/fields/contact.ts";
import { getLabels } from "#schema/fields/field.ts";
import type { ContactValues } from "#schema/rules/contact.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { ContactsTab } from "#web/staff/contacts/contacts-tab.tsx";
import {
  AddContactDocument,
  DeleteContactDocument,
  RestoreContactDocument,
  UpdateContactDocument,
  UserContactsDocument,
} from "#web/generated/graphql.ts";
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
  contactType: 2,
} satisfies ContactValues;
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

test("lists contacts with their type and shows scripts as text", async () => {
  open(
    list(contact("c-1"), contact("c-2", { firstName: "<img src=x onerror=alert(1)>", email: "a?cc=b@example.com" })),
  );
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

test("shows ten contacts per page", async () => {
  open(list(...Array.from({ length: 11 }, (_, n) => contact(`c-${n}`))));
  expect(await screen.findByText("1–10 of 11")).toBeTruthy();
});

test("creates a contact and resets the form", async () => {
  const view = open(list(), adding(), list(contact("c-1")));
  expect(await screen.findByText("No Contacts.")).toBeTruthy();
  const form = await openForm(view);
  fill(typed);
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The contact has been successfully saved.")).toBeTruthy();
  expect(await screen.findByRole("link", { name: "wendy@example.com" })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await openForm(view);
  for (const label of Object.keys(typed)) expect(field(label).value).toBe("");
});

test("has an input for every declared field", async () => {
  const view = open(list());
  await screen.findByText("No Contacts.");
  await openForm(view);
  for (const label of Object.values(getLabels(contactFields))) expect(field(label), label).toBeTruthy();
});

test("shows an error under each empty field and closes on Cancel", async () => {
  const view = open(list());
  await screen.findByText("No Contacts.");
  const form = await openForm(view);
  await view.user.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(messageUnder(field("First Name"))).toBe("First name is required."));
  expect(Object.keys(typed).map((label) => messageUnder(field(label)))).toEqual([
    "First name is required.",
    "Last name is required.",
    "Email is required.",
    "Phone is required.",
    "Contact type is required.",
  ]);
  await waitFor(() => expect(document.activeElement).toBe(field("First Name")));
  await view.user.click(form.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("shows the API's error or a fallback message and keeps the input", async () => {
  const view = open(
    list(),
    adding(errorResult("INTERNAL", "")),
    adding(errorResult("CONFLICT", "This account was deleted. Nothing can be added to it.")),
  );
  await screen.findByText("No Contacts.");
  const form = await openForm(view);
  fill(typed);
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Unable to add the contact.")).toBeTruthy();
  expect(field("Email").value).toBe("wendy@example.com");
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(/This account was deleted/)).toBeTruthy();
});

test("shows the stored values and saves an edited contact", async () => {
  const changed = { ...input, contactType: 6 };
  const update = (result: Mock["result"]): Mock => ({
    request: { query: UpdateContactDocument, variables: { userId: "user-1", id: "c-1", input: changed, revision: 1 } },
    result,
  });
  const view = open(
    list(contact("c-1")),
    update(errorResult("INTERNAL", "")),
    update({ data: { updateContact: contact("c-1", { contactType: 6 }) } }),
    list(contact("c-1", { contactType: 6 })),
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
  const view = open(
    list(contact("c-1")),
    removal(errorResult("INTERNAL", "")),
    list(contact("c-1")),
    removal({ data: { deleteContact: true } }),
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
  await view.user.click((await openDeleteDialog()).getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("Unable to delete the contact.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await view.user.click((await openDeleteDialog()).getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("The contact has been successfully deleted.")).toBeTruthy();
  expect(await screen.findByText("No Contacts.")).toBeTruthy();
  await screen.findByRole("button", { name: "Undo" });
  await view.user.keyboard("u{Enter}");
  expect(await screen.findByText("The contact has been restored.")).toBeTruthy();
  expect(await screen.findByText("O'Hara")).toBeTruthy();
});

test("shows an error if loading fails and retries", async () => {
  const { request } = list();
  const view = open({ request, result: errorResult("INTERNAL", "") }, list());
  expect(await screen.findByText("Unable to get the user details.")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No Contacts.")).toBeTruthy();
});
