import { changedContactRules, contactFields, newContactRules } from "#schema/contact.ts";
import { getExample } from "#schema/field.ts";
import { addContact, deleteContact, updateContact } from "#api/staff/contacts/contact-changes.ts";
import { id } from "#api/platform/http/json-types.ts";
import { exampleIds } from "./examples.ts";
import { defineRoute } from "./define-route.ts";
import { param } from "./param.ts";

const tag = "Contacts";
const exampleContact = getExample(contactFields);

/** Calls for changing a user's contacts. Reading a user includes the contacts. */
export const contactRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/users/contact",
    operation: "Mutation.addContact",
    tag,
    summary: "Add a contact to a user. Returns the contact's id",
    body: newContactRules,
    bodyExample: { userId: exampleIds.user, ...exampleContact },
    errors: ["NOT_FOUND", "CONFLICT"],
    response: id,
    example: exampleIds.other,
    handler: async ({ context, body: { userId, ...values } }) => (await addContact(context, userId, values)).id,
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/users/contact",
    operation: "Mutation.updateContact",
    tag,
    summary:
      "Update a contact of a user. With `revision`, the call returns 409 if the contact has changed since. Without it, the last write wins",
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
    operation: "Mutation.deleteContact",
    tag,
    summary: "Delete a contact of a user",
    handler: ({ context, params }) => deleteContact(context, params.userId ?? "", params.contactId ?? ""),
  }),
];
