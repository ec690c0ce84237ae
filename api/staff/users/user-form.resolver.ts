import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  blockMachineRules,
  createUserRules,
  type CreateUserValues,
  updateUserRules,
  type UpdateUserValues,
  userFields,
  updateUserBodyRules,
} from "#schema/user.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { listChangesSince, StaffChange } from "#api/audit/change-log/changes-since.ts";
import { YearlyAllowance, resetDeactivationCounter } from "#api/licensing/devices/deactivation-allowance.ts";
import { archiveUser, restoreUser } from "./archive-user.ts";
import { getCancellationPendingSince } from "#api/billing/subscriptions/cancel-for-closed-account.ts";
import { blockDeviceMachine } from "./block-device-machine.ts";
import { createUser } from "./create-user.ts";
import { personFields } from "#api/people/users/person.input.ts";
import { resendUserConfirmation, sendPasswordReset } from "./send-account-links.ts";
import { updateUser } from "./update-user.ts";
import { getUser, User } from "#api/people/users/user.entity.ts";
import { contactFields } from "#schema/contact.ts";
import { getExample } from "#schema/field.ts";
import { getUserJson, userShape } from "./user.json.ts";
import { id, routesOf, StatusResponse, text } from "#api/platform/http/define-route.ts";
import {
  exampleIds,
  exampleLicence,
  exampleRegistration,
  exampleProfile,
  param,
} from "#api/platform/http/route-examples.ts";

const staffFields = {
  ...personFields,
  staffRoles: "The roles of an admin. Unchanged if absent. An admin without a role is an owner.",
  hasCompletedTrial: "Whether the user has completed a trial. Clear it to allow another trial.",
};

// Staff may leave the position empty, but the schema has always required it.
const position = userFields.position.rule.defined();

const ignoredPassword = "Ignored. The user chooses a password with the emailed link.";

const CreateUserInput = createInput("CreateUserInput", createUserRules.shape({ position }), {
  description: "A new account created by staff.",
  fields: {
    ...staffFields,
    password: { deprecationReason: ignoredPassword },
    confirmPassword: { deprecationReason: ignoredPassword },
    annualDeactivationLimit: {
      nullable: true,
      description: "Number of device deactivations allowed per year, from 0 to 1000. Defaults to 3.",
    },
  },
});

const BlockedMachineInput = createInput("BlockedMachineInput", blockMachineRules, {
  description: "A machine name that every licence of the user refuses.",
});

const UpdateUserInput = createInput("UpdateUserInput", updateUserRules.shape({ position }), {
  description: "New details of a user. Omitted text fields are cleared; other omitted fields stay unchanged.",
  fields: {
    ...staffFields,
    annualDeactivationLimit: "Number of device deactivations allowed per year, from 0 to 1000.",
    blockedMachines: {
      input: BlockedMachineInput,
      description: "The complete list of machines to block. It replaces the current list.",
    },
    revision: "The revision that the edit is based on. An outdated revision is rejected with `CONFLICT`.",
  },
});

@Resolver()
export class UserFormResolver {
  @Allow("admin", { roles: ["support"], harm: "access" })
  @Mutation(() => User, {
    description: "Creates an active, confirmed account and emails its user a link to choose a password.",
  })
  async createUser(
    @CheckedArg("input", CreateUserInput) input: CreateUserValues,
    @Ctx() context: Context,
  ): Promise<User> {
    return createUser(context, input);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write", proof: "conditional", harm: "others" })
  @Mutation(() => User, { description: "Updates a user. Changes apply immediately." })
  async updateUser(
    @Arg("id", () => ID, { description: "The user." }) id: string,
    @CheckedArg("input", UpdateUserInput) input: UpdateUserValues,
    @Ctx() context: Context,
  ): Promise<User> {
    return updateUser(context, id, input);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @Query(() => [StaffChange], {
    description:
      "Lists changes to a user by staff after a revision. Changes that users make to their own account aren't included.",
  })
  async userChanges(
    @Arg("id", () => ID, { description: "The user." }) id: string,
    @Arg("since", () => Int, { description: "The revision after which changes are returned." }) since: number,
    @Ctx() context: Context,
  ): Promise<StaffChange[]> {
    const user = await getUser(context, id);
    return listChangesSince(context.em, { action: "update-user", id: user.id }, since);
  }

  @Allow("admin", { roles: ["support"], harm: "destroy" })
  @Mutation(() => User, {
    description:
      "Archives a user: signs them out, suspends their licences and cancels their subscription at the end of its period, or now if its last payment failed. " +
      "If the payment provider can't be reached, `cancellationPendingSince` is set until the subscription is cancelled. " +
      "Idempotent.",
  })
  async archiveUser(
    @Arg("id", () => ID, { description: "The user." }) id: string,
    @Ctx() context: Context,
  ): Promise<User> {
    return archiveUser(context, id);
  }

  @Allow("admin", { roles: ["support"], harm: "access" })
  @Mutation(() => User, {
    description:
      "Restores an archived user and reinstates the licences that archiving suspended. A cancelled subscription stays cancelled until the customer or staff resume it.",
  })
  async restoreUser(
    @Arg("id", () => ID, { description: "The user." }) id: string,
    @Ctx() context: Context,
  ): Promise<User> {
    return restoreUser(context, id);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write", harm: "others" })
  @Mutation(() => User, { description: "Blocks the machine of a device on every licence of its user." })
  async blockMachineOf(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("deviceId", () => ID, { description: "The device whose machine name to block." }) deviceId: string,
    @Ctx() context: Context,
  ): Promise<User> {
    return blockDeviceMachine(context, userId, deviceId);
  }

  @Allow("admin", { roles: ["support"], harm: "access" })
  @Mutation(() => User, { description: "Emails a user a link to choose a new password. An older link stops working." })
  async sendPasswordReset(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<User> {
    return sendPasswordReset(context, userId);
  }

  @Allow("admin", { roles: ["support"], scope: "session", harm: "others" })
  @Mutation(() => User, {
    description: "Emails a user a new link to confirm their email address. An older link stops working.",
  })
  async resendUserConfirmation(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<User> {
    return resendUserConfirmation(context, userId);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write", harm: "others" })
  @Mutation(() => YearlyAllowance, {
    description: "Resets a customer's deactivation counter and returns the deactivations they have left.",
  })
  async resetDeactivationCounter(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<YearlyAllowance> {
    return resetDeactivationCounter(context, userId);
  }
}

const defineRoute = routesOf("Users");

const cancellationPending =
  "The user is archived. The payment provider has not confirmed the cancellation of the subscription yet. We will keep trying automatically.";

/** Calls for viewing and changing a user. */
export const userFormRoutes = [
  defineRoute("PATCH /v1/users/:id/archive", {
    params: { id: param.user },
    operation: "Mutation.archiveUser",
    summary:
      "Archive a user. Signs the user out, suspends their licences and cancels their subscription at the end of its period, or now if its last payment failed",
    errors: ["CONFLICT"],
    otherResponses: {
      202: {
        description:
          "The user is archived, but the payment provider has not confirmed the cancellation yet. The cancellation is retried until the provider confirms it.",
        schema: text,
        example: cancellationPending,
      },
    },
    handler: async ({ context, params }) => {
      const user = await archiveUser(context, params.id);
      return (await getCancellationPendingSince(context, user.id))
        ? new StatusResponse(202, cancellationPending)
        : true;
    },
  }),
  defineRoute("GET /v1/users/:id", {
    params: { id: param.user },
    allow: { audience: "admin", roles: customerStaff, scope: ["users:read", "licences:read"] },
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
      contacts: [{ id: exampleIds.other, userId: exampleIds.user, ...getExample(contactFields) }],
      licences: [exampleLicence],
    },
    handler: ({ context, params }) => getUserJson(context, params.id),
  }),
  defineRoute("POST /v1/core/accounts/admin-create-user", {
    operation: "Mutation.createUser",
    summary:
      "Create a user. The user is active and confirmed and gets an email with a link to choose a password, which works for 7 days. A `password` is ignored. Returns the user's id",
    body: createUserRules,
    bodyExample: { ...exampleRegistration, isTester: false, memberType: 1 },
    errors: ["CONFLICT"],
    response: id,
    example: exampleIds.user,
    handler: async ({ context, body }) => (await createUser(context, body)).id,
  }),
  defineRoute("PUT /v1/users/admin/update-user", {
    operation: "Mutation.updateUser",
    summary:
      "Update a user. With `revision`, the call returns 409 if the user has changed since. Without it, the last write wins. Omitted text fields are cleared. Omitted checkboxes and blocked machines keep their values",
    body: updateUserBodyRules,
    bodyExample: { id: exampleIds.user, ...getExample(userFields), blockedMachines: [{ machineName: "BNE-PLAN-007" }] },
    errors: ["CONFLICT", "NOT_FOUND"],
    handler: async ({ context, body: { id, serviceProvider, ...values } }) => {
      await updateUser(context, id, { ...values, isServiceProvider: values.isServiceProvider ?? serviceProvider });
    },
  }),
  defineRoute("PATCH /v1/users/reset-deactivation-limit/:userId", {
    params: { userId: param.user },
    operation: "Mutation.resetDeactivationCounter",
    summary: "Reset a user's deactivation counter. Past deactivations no longer count against the yearly limit",
    handler: async ({ context, params }) => {
      await resetDeactivationCounter(context, params.userId);
    },
  }),
];
