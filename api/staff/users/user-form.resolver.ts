import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  blockMachineRules,
  createUserRules,
  type CreateUserValues,
  updateUserRules,
  type UpdateUserValues,
  userFields,
} from "#schema/user.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { listChangesSince, StaffChange } from "#api/audit/change-log/changes-since.ts";
import { YearlyAllowance } from "#api/licensing/devices/deactivation-allowance.type.ts";
import { resetDeactivationCounter } from "#api/licensing/devices/reset-deactivations.ts";
import { blockDeviceMachine } from "./block-device-machine.ts";
import { createUser } from "./create-user.ts";
import { getUser } from "#api/people/users/get-user.ts";
import { personFields } from "#api/people/users/person.input.ts";
import { resendUserConfirmation, sendPasswordReset } from "./send-account-links.ts";
import { updateUser } from "./update-user.ts";
import { User } from "#api/people/users/user.entity.ts";

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
  @Mutation(() => User, {
    description: "Emails a user a link to choose a new password. An older link stops working.",
  })
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
