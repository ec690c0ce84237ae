import { Arg, Ctx, Field, FieldResolver, ID, InputType, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { userFilterRules } from "#schema/rules/account.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { type Relation, relatedRows } from "#api/platform/related-rows.ts";
import { Contact } from "#api/features/contacts/contact.entity.ts";
import { BlockedMachine } from "#api/features/devices/blocked-machine.entity.ts";
import { Licence } from "#api/features/licences/licence.entity.ts";
import { hasActiveSubscription } from "#api/features/subscriptions/active-subscription.ts";
import { getUser, listUsers } from "./list-users.ts";
import { User } from "./user.entity.ts";

@InputType({ description: "Which users, and which part of the list." })
export class UserFilter {
  @Field(() => String, {
    nullable: true,
    description: "Words matched at word starts in name, company and email; or the support code of a licence.",
  })
  search?: string;

  @Field(() => Int, { defaultValue: 0 })
  offset: number = 0;

  @Field(() => Int, { defaultValue: 10, description: "At most 100." })
  limit: number = 10;
}

@ObjectType({ description: "A page of users, newest first." })
export class UserPage {
  @Field(() => [User])
  rows!: User[];

  @Field(() => Int, { description: "At most 10,000." })
  total!: number;
}

const contactsOfUser: Relation<Contact> = {
  entity: Contact,
  of: "user",
  orderBy: { lastName: "asc", firstName: "asc", id: "asc" },
};
const blockedMachinesOfUser: Relation<BlockedMachine> = {
  entity: BlockedMachine,
  of: "user",
  orderBy: { blockedAt: "asc", id: "asc" },
};
const licencesOfUser: Relation<Licence> = { entity: Licence, of: "user", orderBy: { createdAt: "desc", id: "desc" } };

@Resolver(() => User)
export class UserResolver {
  @Allow("signedIn")
  @Query(() => User, { description: "The signed-in user." })
  async me(@Ctx() context: Context): Promise<User> {
    return getUser(context, context.actor?.userId ?? "");
  }

  @Allow("admin")
  @Query(() => User)
  async user(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<User> {
    return getUser(context, id);
  }

  @Allow("admin")
  @Check({ filter: userFilterRules })
  @Query(() => UserPage, {
    complexity: ({ args, childComplexity }) =>
      ((args as { filter?: UserFilter }).filter?.limit ?? 10) * childComplexity,
  })
  async users(
    @Arg("filter", () => UserFilter, { defaultValue: {} }) filter: UserFilter,
    @Ctx() context: Context,
  ): Promise<UserPage> {
    return listUsers(context, filter);
  }

  @Allow("signedIn")
  @FieldResolver(() => Boolean)
  async hasActiveSubscription(@Root() user: User, @Ctx() context: Context): Promise<boolean> {
    return hasActiveSubscription(context, user.id);
  }

  @Allow("admin")
  @FieldResolver(() => [Contact])
  async contacts(@Root() user: User, @Ctx() context: Context): Promise<Contact[]> {
    return relatedRows(context, contactsOfUser, user.id);
  }

  @Allow("admin")
  @FieldResolver(() => [BlockedMachine])
  async blockedMachines(@Root() user: User, @Ctx() context: Context): Promise<BlockedMachine[]> {
    return relatedRows(context, blockedMachinesOfUser, user.id);
  }

  @Allow("signedIn")
  @FieldResolver(() => [Licence])
  async licences(@Root() user: User, @Ctx() context: Context): Promise<Licence[]> {
    return relatedRows(context, licencesOfUser, user.id);
  }
}
