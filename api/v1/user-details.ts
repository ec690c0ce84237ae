import { customerStaff } from "#schema/staff-roles.ts";
import { contactFields } from "#schema/contact.ts";
import { getExample } from "#schema/field.ts";
import { createUserRules, updateUserBodyRules, userFields } from "#schema/user.ts";
import { createUser } from "#api/staff/users/create-user.ts";
import { updateUser } from "#api/staff/users/update-user.ts";
import { userJson, userShape } from "#api/staff/users/user.json.ts";
import { getUserDetails } from "#api/staff/users/user-details.ts";
import { resetDeactivationCounter } from "#api/licensing/devices/reset-deactivations.ts";
import { id } from "#api/platform/http/json-types.ts";
import { exampleIds, exampleLicence, exampleRegistration, exampleProfile } from "./examples.ts";
import { defineRoute } from "./define-route.ts";
import { param } from "./param.ts";

const tag = "Users";

/** Calls for viewing, creating and updating a user. */
export const userDetailsRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/users/:id",
    params: { id: param.user },
    allow: { audience: "admin", roles: customerStaff, scope: ["users:read", "licences:read"] },
    tag,
    summary: "Get a user. Includes contacts, licences and blocked machines. Text fields are never null",
    response: userShape,
    example: {
      ...exampleProfile,
      serviceProvider: false,
      abn: "51 824 753 556",
      referrer: "",
      issuedW8Form: false,
      completedSecurityInformation: false,
      completedSoftwareQA: false,
      isSubscribedToNewsLetter: true,
      hasCompletedTrial: false,
      annualDeactivationLimit: 3,
      registationDate: "2025-03-05T01:00:00.000Z",
      isActive: true,
      emailConfirmed: true,
      blockedMachines: [
        { id: exampleIds.other, machineName: "BNE-PLAN-007", dateBlocked: "2025-03-05T01:00:00.000Z", isNew: false },
      ],
      contacts: [
        {
          id: exampleIds.other,
          userId: exampleIds.user,
          ...getExample(contactFields),
        },
      ],
      licences: [exampleLicence],
    },
    handler: async ({ context, params }) => {
      const { user, ...parts } = await getUserDetails(context, params.id ?? "");
      return userJson(context, user, parts);
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/core/accounts/admin-create-user",
    operation: "Mutation.createUser",
    tag,
    summary:
      "Create a user. The user is active and confirmed and gets an email with a link to choose a password, which works for 7 days. A `password` is ignored. Returns the user's id",
    body: createUserRules,
    bodyExample: { ...exampleRegistration, isTester: false, memberType: 1 },
    errors: ["CONFLICT"],
    response: id,
    example: exampleIds.user,
    handler: async ({ context, body }) => (await createUser(context, body)).id,
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/users/admin/update-user",
    operation: "Mutation.updateUser",
    tag,
    summary:
      "Update a user. With `revision`, the call returns 409 if the user has changed since. Without it, the last write wins. Omitted text fields are cleared. Omitted checkboxes and blocked machines keep their values",
    body: updateUserBodyRules,
    bodyExample: {
      id: exampleIds.user,
      ...getExample(userFields),
      blockedMachines: [{ machineName: "BNE-PLAN-007" }],
    },
    errors: ["CONFLICT", "NOT_FOUND"],
    handler: async ({ context, body: { id, serviceProvider, ...values } }) => {
      await updateUser(context, id, { ...values, isServiceProvider: values.isServiceProvider ?? serviceProvider });
    },
  }),
  defineRoute({
    method: "PATCH",
    url: "/v1/users/reset-deactivation-limit/:userId",
    params: { userId: param.user },
    operation: "Mutation.resetDeactivationCounter",
    tag,
    summary: "Reset a user's deactivation counter. Past deactivations no longer count against the yearly limit",
    handler: async ({ context, params }) => {
      await resetDeactivationCounter(context, params.userId ?? "");
    },
  }),
];
