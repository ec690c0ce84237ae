import { Arg, Ctx, Field, ID, InputType, Int, Mutation, Query, Resolver } from "type-graphql";
import {
  type CreateUserValues,
  createUserRules,
  type UpdateUserValues,
  updateUserRules,
} from "#schema/rules/user-form.ts";
import { legend, type MemberType, memberTypes } from "#schema/catalogue.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { listChangesSince, StaffChange } from "#api/audit/change-log/changes-since.ts";
import { YearlyAllowance } from "#api/licensing/devices/deactivation-allowance.type.ts";
import { resetDeactivationCounter } from "#api/licensing/devices/reset-deactivations.ts";
import { blockMachineOf } from "./block-machine-of.ts";
import { createUser } from "./create-user.ts";
import { getUser } from "#api/people/users/get-user.ts";
import { PersonInput } from "#api/people/users/person.input.ts";
import { updateUser } from "./update-user.ts";
import { User } from "#api/people/users/user.entity.ts";

/** What staff enter of a user, new or not; no type of its own in the schema. */
@InputType()
abstract class StaffUserInput extends PersonInput {
  @Field(() => String)
  email!: string;
  @Field(() => Int, { description: legend(memberTypes) })
  memberType!: MemberType;
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
  @Field(() => Boolean, { nullable: true, description: "Clearing it lets the person have another trial." })
  hasCompletedTrial?: boolean;
}

@InputType({ description: "An account that staff create." })
export class CreateUserInput extends StaffUserInput implements CreateUserValues {
  @Field(() => String, { description: "Works until the person has chosen their own; never mailed." })
  password!: string;
  @Field(() => String)
  confirmPassword!: string;
  @Field(() => Int, { nullable: true, description: "0 to 1000, default 3." })
  annualDeactivationLimit!: CreateUserValues["annualDeactivationLimit"];
}

@InputType({ description: "A machine name to refuse on every licence of a user." })
export class BlockedMachineInput {
  @Field(() => String)
  machineName!: string;
}

@InputType({ description: "A user as the form of staff sends it: text left out is emptied, the rest stays." })
export class UpdateUserInput extends StaffUserInput implements UpdateUserValues {
  @Field(() => Int, { description: "0 to 1000." })
  annualDeactivationLimit!: number;
  @Field(() => String, { nullable: true })
  abn?: string;
  @Field(() => [BlockedMachineInput], { nullable: true, description: "All that are to be blocked from now on." })
  blockedMachines?: BlockedMachineInput[];
  @Field(() => Int, { nullable: true, description: "What the form began with; an older one is a CONFLICT." })
  revision?: number;
}

@Resolver()
export class UserFormResolver {
  @Allow("admin")
  @Check({ input: createUserRules })
  @Mutation(() => User, { description: "Creates an account, active and confirmed, and mails its owner a link." })
  async createUser(
    @Arg("input", () => CreateUserInput) input: CreateUserInput,
    @Ctx() context: Context,
  ): Promise<User> {
    return createUser(context, input);
  }

  @Allow("admin")
  @Check({ input: updateUserRules })
  @Mutation(() => User)
  async updateUser(
    @Arg("id", () => ID) id: string,
    @Arg("input", () => UpdateUserInput) input: UpdateUserInput,
    @Ctx() context: Context,
  ): Promise<User> {
    return updateUser(context, id, input);
  }

  @Allow("admin")
  @Query(() => [StaffChange], {
    description: "What staff changed of a user after a revision; the person's own changes are in no log.",
  })
  async userChanges(
    @Arg("id", () => ID) id: string,
    @Arg("since", () => Int) since: number,
    @Ctx() context: Context,
  ): Promise<StaffChange[]> {
    const user = await getUser(context, id);
    return listChangesSince(context.em, { action: "update-user", id: user.id }, since);
  }

  @Allow("admin")
  @Mutation(() => User, { description: "Blocks the machine of a device on every licence of its user." })
  async blockMachineOf(
    @Arg("userId", () => ID) userId: string,
    @Arg("deviceId", () => ID) deviceId: string,
    @Ctx() context: Context,
  ): Promise<User> {
    return blockMachineOf(context, userId, deviceId);
  }

  @Allow("admin")
  @Mutation(() => YearlyAllowance, {
    description: "What a customer freed until now no longer counts; answers what they may free from now on.",
  })
  async resetDeactivationCounter(
    @Arg("userId", () => ID) userId: string,
    @Ctx() context: Context,
  ): Promise<YearlyAllowance> {
    return resetDeactivationCounter(context, userId);
  }
}
