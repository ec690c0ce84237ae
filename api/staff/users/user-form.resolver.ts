import { Arg, Ctx, Field, ID, InputType, Int, Mutation, Query, Resolver } from "type-graphql";
import {
  type CreateUserValues,
  createUserRules,
  type UpdateUserValues,
  updateUserRules,
} from "#schema/rules/user-form.ts";
import { type StaffRole, staffRoleNames } from "#schema/staff-roles.ts";
import { formatLegend, type MemberType, memberTypes } from "#schema/catalogue.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { listChangesSince, StaffChange } from "#api/audit/change-log/changes-since.ts";
import { YearlyAllowance } from "#api/licensing/devices/deactivation-allowance.type.ts";
import { resetDeactivationCounter } from "#api/licensing/devices/reset-deactivations.ts";
import { blockDeviceMachine } from "./block-device-machine.ts";
import { createUser } from "./create-user.ts";
import { getUser } from "#api/people/users/get-user.ts";
import { PersonInput } from "#api/people/users/person.input.ts";
import { resendUserConfirmation, sendPasswordReset } from "./send-account-links.ts";
import { updateUser } from "./update-user.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Fields that staff enter for new and existing users. This class is not a type in the schema. */
@InputType()
abstract class StaffUserInput extends PersonInput {
  @Field(() => String)
  email!: string;
  @Field(() => Int, { description: formatLegend(memberTypes) })
  memberType!: MemberType;
  @Field(() => [String], {
    nullable: true,
    description: `The roles of an admin: ${staffRoleNames.join(", ")}. Unchanged if absent. An admin without a role is an owner.`,
  })
  staffRoles?: StaffRole[];
  @Field(() => Boolean, { nullable: true })
  isTester?: boolean;
  @Field(() => Boolean, { nullable: true })
  isServiceProvider?: boolean;
  @Field(() => String, { nullable: true })
  referrer?: string;
  @Field(() => Boolean, { nullable: true })
  issuedW8Form?: boolean;
  @Field(() => Boolean, { nullable: true })
  completedSecurityInformation?: boolean;
  @Field(() => Boolean, { nullable: true })
  completedSoftwareQA?: boolean;
  @Field(() => Boolean, { nullable: true })
  isSubscribedToNewsLetter?: boolean;
  @Field(() => Boolean, {
    nullable: true,
    description: "Whether the user has completed a trial. Clear it to allow another trial.",
  })
  hasCompletedTrial?: boolean;
}

@InputType({ description: "A new account created by staff." })
export class CreateUserInput extends StaffUserInput implements CreateUserValues {
  @Field(() => String, {
    description: "The initial password. It works until the user chooses their own, and is never emailed.",
  })
  password!: string;
  @Field(() => String)
  confirmPassword!: string;
  @Field(() => Int, {
    nullable: true,
    description: "Number of device deactivations allowed per year, from 0 to 1000. Defaults to 3.",
  })
  annualDeactivationLimit!: CreateUserValues["annualDeactivationLimit"];
}

@InputType({ description: "A machine name that every licence of the user refuses." })
export class BlockedMachineInput {
  @Field(() => String)
  machineName!: string;
}

@InputType({
  description: "New details of a user. Omitted text fields are cleared; other omitted fields stay unchanged.",
})
export class UpdateUserInput extends StaffUserInput implements UpdateUserValues {
  @Field(() => Int, { description: "Number of device deactivations allowed per year, from 0 to 1000." })
  annualDeactivationLimit!: number;
  @Field(() => String, { nullable: true })
  abn?: string;
  @Field(() => [BlockedMachineInput], {
    nullable: true,
    description: "The complete list of machines to block. It replaces the current list.",
  })
  blockedMachines?: BlockedMachineInput[];
  @Field(() => Int, {
    nullable: true,
    description: "The revision that the edit is based on. An outdated revision is rejected with `CONFLICT`.",
  })
  revision?: number;
}

@Resolver()
export class UserFormResolver {
  @Allow("admin", { roles: ["support"], scope: "users:write", proof: "conditional" })
  @Check({ input: createUserRules })
  @Mutation(() => User, {
    description: "Creates an active, confirmed account and emails its user a link to choose a password.",
  })
  async createUser(
    @Arg("input", () => CreateUserInput) input: CreateUserInput,
    @Ctx() context: Context,
  ): Promise<User> {
    return createUser(context, input);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write", proof: "conditional" })
  @Check({ input: updateUserRules })
  @Mutation(() => User, { description: "Updates a user. Changes apply immediately." })
  async updateUser(
    @Arg("id", () => ID) id: string,
    @Arg("input", () => UpdateUserInput) input: UpdateUserInput,
    @Ctx() context: Context,
  ): Promise<User> {
    return updateUser(context, id, input);
  }

  @Allow("admin", { roles: "all", scope: "users:read" })
  @Query(() => [StaffChange], {
    description:
      "Lists changes to a user by staff after a revision. Changes that users make to their own account aren't included.",
  })
  async userChanges(
    @Arg("id", () => ID) id: string,
    @Arg("since", () => Int) since: number,
    @Ctx() context: Context,
  ): Promise<StaffChange[]> {
    const user = await getUser(context, id);
    return listChangesSince(context.em, { action: "update-user", id: user.id }, since);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write" })
  @Mutation(() => User, { description: "Blocks the machine of a device on every licence of its user." })
  async blockMachineOf(
    @Arg("userId", () => ID) userId: string,
    @Arg("deviceId", () => ID) deviceId: string,
    @Ctx() context: Context,
  ): Promise<User> {
    return blockDeviceMachine(context, userId, deviceId);
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @Mutation(() => User, {
    description: "Emails a user a link to choose a new password. An older link stops working.",
  })
  async sendPasswordReset(@Arg("userId", () => ID) userId: string, @Ctx() context: Context): Promise<User> {
    return sendPasswordReset(context, userId);
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @Mutation(() => User, {
    description: "Emails a user a new link to confirm their email address. An older link stops working.",
  })
  async resendUserConfirmation(@Arg("userId", () => ID) userId: string, @Ctx() context: Context): Promise<User> {
    return resendUserConfirmation(context, userId);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write" })
  @Mutation(() => YearlyAllowance, {
    description: "Resets a customer's deactivation counter and returns the deactivations they have left.",
  })
  async resetDeactivationCounter(
    @Arg("userId", () => ID) userId: string,
    @Ctx() context: Context,
  ): Promise<YearlyAllowance> {
    return resetDeactivationCounter(context, userId);
  }
}
