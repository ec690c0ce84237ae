import { relationsOfUser } from "./user-relations.ts";
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from "type-graphql";
import { legend, memberTypes } from "#schema/catalogue.ts";
import { userListRules } from "#schema/rules/user-list.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { costOfRows } from "#api/platform/field-costs.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/blocked-machine.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { hasActiveSubscription } from "#api/selling/subscriptions/active-subscription.ts";
import { cancellationPendingSince } from "#api/selling/subscriptions/cancel-for-closed-account.ts";
import { archiveUser, restoreUser } from "./archive-user.ts";
import { getUser } from "#api/people/users/get-user.ts";
import { countUsers, listUsers, type UserRows } from "./list-users.ts";
import { MOST_COUNTED, type UsersWanted } from "./list-users-statement.ts";
import type { SearchWay } from "./search-way.ts";
import { User } from "#api/people/users/user.entity.ts";

/** What the list of users can be sorted by. */
export enum UserSortBy {
  FIRST_NAME = "FIRST_NAME",
  LAST_NAME = "LAST_NAME",
  COMPANY = "COMPANY",
  EMAIL = "EMAIL",
  USER_TYPE = "USER_TYPE",
  DATE_JOINED = "DATE_JOINED",
  ACTIVE = "ACTIVE",
  EMAIL_CONFIRMED = "EMAIL_CONFIRMED",
}
registerEnumType(UserSortBy, { name: "UserSortBy", description: "What the list of users can be sorted by." });

@InputType({ description: "Which users, in which order, and which part of the list." })
export class UserFilter {
  @Field(() => String, {
    nullable: true,
    description:
      "Words at word starts in name, company, position, email, phone and ABN; in quotes whole words; numbers also " +
      "without separators; or the support code of a licence.",
  })
  search?: string;

  @Field(() => [Int], { nullable: true, description: `At least one; all when left out. ${legend(memberTypes)}` })
  userTypes?: number[];

  @Field(() => String, { nullable: true, description: "First day of registration, `YYYY-MM-DD`, or a moment, UTC." })
  startDate?: string;

  @Field(() => String, { nullable: true, description: "Last day of registration, all of it, or a moment, UTC." })
  endDate?: string;

  @Field(() => Boolean, { defaultValue: true })
  includeArchived: boolean = true;

  @Field(() => UserSortBy, { defaultValue: UserSortBy.DATE_JOINED })
  sortBy: UserSortBy = UserSortBy.DATE_JOINED;

  @Field(() => Boolean, { nullable: true, description: "Left out: newest first, every other order ascending." })
  descending?: boolean;

  @Field(() => String, {
    nullable: true,
    description: "`endCursor` of an earlier page in the same order; `offset` counts from there.",
  })
  after?: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      "Counts `offset` from the end of the list, so that the last page costs what the first one does. Rows keep the list's order. Not together with `after`.",
  })
  fromEnd: boolean = false;

  @Field(() => Int, { defaultValue: 0, description: "Rows to skip, at most 1,000,000." })
  offset: number = 0;

  @Field(() => Int, { defaultValue: 10, description: "At most 100." })
  limit: number = 10;
}

@ObjectType({ description: "A page of users." })
export class UserPage implements UserRows {
  @Field(() => [User])
  rows!: User[];

  @Field(() => String, { nullable: true, description: "Given as `after`, it leads to what follows this page." })
  endCursor!: string | null;

  readonly wanted!: UsersWanted;
  readonly way!: SearchWay;
  /** Counted once for both fields that tell it. */
  counted?: Promise<number>;
}

@Resolver(() => UserPage)
export class UserPageResolver {
  @FieldResolver(() => Int, {
    description: "Users in the list, at most 10,000: `isTotalCapped` says whether there are more.",
  })
  async total(@Root() page: UserPage, @Ctx() context: Context): Promise<number> {
    return Math.min(await countedOnce(context, page), MOST_COUNTED);
  }

  @FieldResolver(() => Boolean, { description: "True if there are more users in the list than `total` says." })
  async isTotalCapped(@Root() page: UserPage, @Ctx() context: Context): Promise<boolean> {
    return (await countedOnce(context, page)) > MOST_COUNTED;
  }

  @FieldResolver(() => Int, {
    description: "Users in the list, all of them counted. Slower than `total`: ask for it only if `isTotalCapped`.",
  })
  async exactTotal(@Root() page: UserPage, @Ctx() context: Context): Promise<number> {
    return countUsers(context, page, null);
  }
}

function countedOnce(context: Context, page: UserPage): Promise<number> {
  page.counted ??= countUsers(context, page, MOST_COUNTED + 1);
  return page.counted;
}

/** What a search costs, its total included, and how many skipped rows cost one point. */
const COST_OF_SEARCH = 300;
const SKIPPED_ROWS_PER_POINT = 40;

/** A number of rows that can't be is refused before anything is read. */
const costOfUsers = ({ args, childComplexity }: { args: { filter?: UserFilter }; childComplexity: number }) => {
  const { limit = 10, offset = 0, search } = args.filter ?? {};
  const skipped = Math.max(0, offset) / SKIPPED_ROWS_PER_POINT;
  return costOfRows(limit, childComplexity) + skipped + (search?.trim() ? COST_OF_SEARCH : 0);
};

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
  @Check({ filter: userListRules })
  @Query(() => UserPage, { complexity: costOfUsers })
  async users(
    @Arg("filter", () => UserFilter, { defaultValue: {} }) filter: UserFilter,
    @Ctx() context: Context,
  ): Promise<UserPage> {
    return listUsers(context, filter);
  }

  @Allow("admin")
  @Mutation(() => User, {
    description:
      "Closes the account until it is restored: signs the person out, suspends their licences and ends their " +
      "subscription at the end of its period. If the payment provider can't be reached, the account is closed and " +
      "`cancellationPendingSince` is set until the subscription is cancelled. Doing it twice changes nothing.",
  })
  async archiveUser(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<User> {
    return archiveUser(context, id);
  }

  @Allow("admin")
  @Mutation(() => User, {
    description:
      "Opens an archived account again, with the licences that archiving suspended. Subscriptions are the customer's to resume.",
  })
  async restoreUser(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<User> {
    return restoreUser(context, id);
  }

  @Allow("signedIn")
  @FieldResolver(() => Boolean)
  async hasActiveSubscription(@Root() user: User, @Ctx() context: Context): Promise<boolean> {
    return hasActiveSubscription(context, user.id);
  }

  @Allow("admin")
  @FieldResolver(() => Date, {
    nullable: true,
    description:
      "Set while the account is archived and the payment provider has not confirmed yet that its subscription is " +
      "cancelled and that later charges are refunded. Retried until it does; UTC.",
  })
  async cancellationPendingSince(@Root() user: User, @Ctx() context: Context): Promise<Date | null> {
    return cancellationPendingSince(context, user.id);
  }

  @Allow("admin")
  @FieldResolver(() => [Contact])
  async contacts(@Root() user: User, @Ctx() context: Context): Promise<Contact[]> {
    return relationsOfUser.contacts(context, user.id);
  }

  @Allow("admin")
  @FieldResolver(() => [BlockedMachine])
  async blockedMachines(@Root() user: User, @Ctx() context: Context): Promise<BlockedMachine[]> {
    return relationsOfUser.blockedMachines(context, user.id);
  }

  @Allow("signedIn")
  @FieldResolver(() => [Licence])
  async licences(@Root() user: User, @Ctx() context: Context): Promise<Licence[]> {
    return relationsOfUser.licences(context, user.id);
  }
}
