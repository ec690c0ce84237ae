import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  contactRules,
  type ContactValues,
  changedContactRules,
  contactFields,
  newContactRules,
} from "#schema/contact.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { StaffChange } from "#api/audit/change-log/changes-since.ts";
import { addContact, deleteContact, listContactChanges, restoreContact, updateContact } from "./contact-changes.ts";
import { Contact } from "./contact.entity.ts";
import { Allow, DeletedObject, toDeletedObject } from "#api/platform/graphql/declare.ts";
import { getExample } from "#schema/field.ts";
import { id, routesOf } from "#api/platform/http/define-route.ts";
import { exampleIds, param } from "#api/platform/http/route-examples.ts";

const ContactInput = createInput("ContactInput", contactRules, {
  description: "Details of a contact at a customer's company.",
});

@Resolver(() => Contact)
export class ContactResolver {
  @Allow("admin", { roles: ["support"], scope: "users:write", harm: "others" })
  @Mutation(() => Contact, { description: "Adds a contact to a user." })
  async addContact(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @CheckedArg("input", ContactInput) input: ContactValues,
    @Ctx() context: Context,
  ): Promise<Contact> {
    return addContact(context, userId, input);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write", harm: "others" })
  @Mutation(() => Contact, { description: "Updates a contact of a user." })
  async updateContact(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("id", () => ID, { description: "The contact." }) id: string,
    @CheckedArg("input", ContactInput) input: ContactValues,
    @Arg("revision", () => Int, {
      nullable: true,
      description:
        "The revision that the edit is based on. An outdated revision is rejected with `CONFLICT`. Without it, the last write wins.",
    })
    revision: number | undefined,
    @Ctx() context: Context,
  ): Promise<Contact> {
    return updateContact(context, userId, id, input, revision);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @Query(() => [StaffChange], { description: "Lists changes to a contact by staff after a revision." })
  async contactChanges(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("id", () => ID, { description: "The contact." }) id: string,
    @Arg("since", () => Int, { description: "The revision after which changes are returned." }) since: number,
    @Ctx() context: Context,
  ): Promise<StaffChange[]> {
    return listContactChanges(context, userId, id, since);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write", harm: "others" })
  @Mutation(() => Contact, {
    description: "Undoes the deletion of a contact, up to ten minutes later. Restores its values and ID. Idempotent.",
  })
  async restoreContact(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("id", () => ID, { description: "The contact." }) id: string,
    @Ctx() context: Context,
  ): Promise<Contact> {
    return restoreContact(context, userId, id);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write", harm: "others" })
  @Mutation(() => DeletedObject, { description: "Deletes a contact of a user." })
  async deleteContact(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("id", () => ID, { description: "The contact." }) id: string,
    @Ctx() context: Context,
  ): Promise<DeletedObject> {
    await deleteContact(context, userId, id);
    return toDeletedObject(id);
  }
}

const defineRoute = routesOf("Contacts");
const exampleContact = getExample(contactFields);

/** Calls for changing a user's contacts. Reading a user includes the contacts. */
export const contactRoutes = [
  defineRoute("POST /v1/users/contact", {
    operation: "Mutation.addContact",
    summary: "Add a contact to a user. Returns the contact's id",
    body: newContactRules,
    bodyExample: { userId: exampleIds.user, ...exampleContact },
    errors: ["NOT_FOUND", "CONFLICT"],
    response: id,
    example: exampleIds.other,
    handler: async ({ context, body: { userId, ...values } }) => (await addContact(context, userId, values)).id,
  }),
  defineRoute("PUT /v1/users/contact", {
    operation: "Mutation.updateContact",
    summary:
      "Update a contact of a user. With `revision`, the call returns 409 if the contact has changed since. Without it, the last write wins",
    body: changedContactRules,
    bodyExample: { userId: exampleIds.user, id: exampleIds.other, ...exampleContact },
    errors: ["NOT_FOUND", "CONFLICT"],
    handler: async ({ context, body: { userId, id, revision, ...values } }) => {
      await updateContact(context, userId, id, values, revision);
    },
  }),
  defineRoute("DELETE /v1/users/contact/:userId/:contactId", {
    params: { userId: param.user, contactId: param.contact },
    operation: "Mutation.deleteContact",
    summary: "Delete a contact of a user",
    handler: ({ context, params }) => deleteContact(context, params.userId, params.contactId),
  }),
];
