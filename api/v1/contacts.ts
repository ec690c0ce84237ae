import { changedContactRules, newContactRules } from "#schema/rules/contact.ts";
import { addContact, deleteContact, updateContact } from "#api/staff/contacts/contact-changes.ts";
import { id } from "#api/platform/json-shapes.ts";
import { exampleIds, exampleName } from "./examples.ts";
import { defineRoute } from "./frame.ts";
import { param } from "./param.ts";

const tag = "Contacts";
const exampleContact = { ...exampleName, email: "accounts@example.com", phone: "+61 7 3000 0000", contactType: 1 };

/** The contacts of a user; they are read with the user. */
export const contactRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/users/contact",
    allow: "admin",
    tag,
    summary: "Add a contact to a user; answers its id",
    body: newContactRules,
    bodyExample: { userId: exampleIds.user, ...exampleContact },
    errors: ["NOT_FOUND", "CONFLICT"],
    answer: id,
    example: exampleIds.other,
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
    bodyExample: { userId: exampleIds.user, id: exampleIds.other, ...exampleContact },
    errors: ["NOT_FOUND", "CONFLICT"],
    handler: async ({ context, body: { userId, id, revision, ...values } }) => {
      await updateContact(context, userId, id, values, revision);
    },
  }),
  defineRoute({
    method: "DELETE",
    url: "/v1/users/contact/:userId/:contactId",
    params: { userId: param.user, contactId: param.contact },
    allow: "admin",
    tag,
    summary: "Delete a contact of a user",
    handler: ({ context, params }) => deleteContact(context, params.userId ?? "", params.contactId ?? ""),
  }),
];
