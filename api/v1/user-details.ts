import { createUserRules, updateUserBodyRules } from "#schema/rules/user-form.ts";
import { createUser } from "#api/staff/users/create-user.ts";
import { updateUser } from "#api/staff/users/update-user.ts";
import { userJson, userShape } from "#api/staff/users/user.json.ts";
import { getUserDetails } from "#api/staff/users/user-details.ts";
import { resetDeactivationCounter } from "#api/licensing/devices/reset-deactivations.ts";
import { id } from "#api/platform/json-shapes.ts";
import { exampleIds, exampleLicence, exampleName, examplePassword, examplePerson, exampleProfile } from "./examples.ts";
import { defineRoute } from "./frame.ts";
import { param } from "./param.ts";

const tag = "Users";

/** One user as staff see, create and change it. */
export const userDetailsRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/users/:id",
    params: { id: param.user },
    allow: "admin",
    tag,
    summary: "A user with contacts, licences and blocked machines; text is never null",
    answer: userShape,
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
          ...exampleName,
          email: "accounts@example.com",
          phone: "+61 7 3000 0000",
          contactType: 1,
        },
      ],
      licences: [exampleLicence],
    },
    handler: async ({ context, params }) => {
      const { user, ...parts } = await getUserDetails(context, params.id ?? "");
      return userJson(user, parts, context.clock.now());
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/core/accounts/admin-create-user",
    allow: "admin",
    tag,
    summary: "Create a user, active and confirmed; mails a link to choose a password, and answers the id",
    body: createUserRules,
    bodyExample: { ...examplePerson, isTester: false, ...examplePassword, memberType: 1 },
    errors: ["CONFLICT"],
    answer: id,
    example: exampleIds.user,
    handler: async ({ context, body }) => (await createUser(context, body)).id,
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/users/admin/update-user",
    allow: "admin",
    tag,
    summary:
      "Update a user; with `revision` a change made meanwhile is a 409, without it the last write wins. Text left out is emptied; checkboxes and blocked machines left out stay",
    body: updateUserBodyRules,
    bodyExample: {
      id: exampleIds.user,
      ...examplePerson,
      memberType: 1,
      abn: "51 824 753 556",
      annualDeactivationLimit: 3,
      blockedMachines: [{ machineName: "BNE-PLAN-007", isNew: true }],
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
    allow: "admin",
    tag,
    summary: "What the user freed until now no longer counts against the yearly limit",
    handler: async ({ context, params }) => {
      await resetDeactivationCounter(context, params.userId ?? "");
    },
  }),
];
