import { changedContactRules, newContactRules } from "#schema/rules/contact.ts";
import { addContact, deleteContact, updateContact } from "#api/features/contacts/contact-changes.ts";
import { defineRoute } from "./frame.ts";

const tag = "Contacts";

/** The contacts of a user; they are read with the user (spec, admin §7). */
export const contactRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/users/contact",
    allow: "admin",
    tag,
    summary: "Add a contact to a user; answers its id",
    body: newContactRules,
    answer: "3c7a…",
    handler: async ({ context, body: { userId, ...values } }) => (await addContact(context, userId, values)).id,
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/users/contact",
    allow: "admin",
    tag,
    summary:
      "Change a contact of a user; with `revision` a change made meanwhile is a 409, without it the last write wins",
    body: changedContactRules,
    answer: true,
    handler: async ({ context, body: { userId, id, revision, ...values } }) => {
      await updateContact(context, userId, id, values, revision);
    },
  }),
  defineRoute({
    method: "DELETE",
    url: "/v1/users/contact/:userId/:contactId",
    allow: "admin",
    tag,
    summary: "Delete a contact of a user",
    answer: true,
    handler: ({ context, params }) => deleteContact(context, params.userId ?? "", params.contactId ?? ""),
  }),
];
