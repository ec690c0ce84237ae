import { userRelations } from "./user.sql.ts";
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, Query, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  userListFilterRules,
  userOrderRules,
  userExportColumns,
  userExportRules,
  userFilterQueryRules,
  userFilterRules,
  userSortOrders,
  userSorts,
} from "#schema/user-list.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { calculateRowsCost, PageArgs } from "#api/platform/graphql/page.ts";
import { Allow, createType, declareEnum, field, pageFields, Scope } from "#api/platform/graphql/declare.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { hasActiveSubscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { getCancellationPendingSince } from "#api/billing/subscriptions/cancel-for-closed-account.ts";
import { getUserSummary, UserSummary } from "./user-summary.ts";
import { countUsers, listUsers, toUserListValues, type UserRows } from "./list-users.ts";
import { MAX_COUNTED } from "./list-users-statement.ts";
import { getUser, User } from "#api/people/users/user.entity.ts";
import { Type } from "typebox";
import { MemberType } from "#schema/user.ts";
import { formatNumber } from "#schema/numbers.ts";
import { exportUsers } from "./export-users.ts";
import { listFilteredUsersJson, MAX_ROWS, userRowShape } from "./user.json.ts";
import { csvExamples, exampleProfile } from "#api/platform/http/route-examples.ts";
import { FileResponse, routesOf, StatusResponse } from "#api/platform/http/define-route.ts";

export const UserSortBy = declareEnum("UserSortBy", "Sort order of the user list.", userSortOrders);

const UserFilter = createInput("UserFilter", userListFilterRules, {
  description: "Filters of the user list.",
  fields: {
    search:
      "Words to find in the name, company, position, email, phone or ABN, or a support code. Words match at word starts. " +
      "Quoted text matches whole words. Numbers also match without separators.",
    userTypes: "Member types to include, at least one. Defaults to all.",
    startDate: "Earliest registration date, in UTC.",
    endDate: "Latest registration date, included, in UTC.",
  },
});

const UserOrder = createInput("UserOrder", userOrderRules, {
  description: "Order of the user list.",
  fields: {
    by: { type: UserSortBy, description: "What to sort by." },
    descending: "Whether to sort in descending order. Defaults to true for `DATE_JOINED` and false for other orders.",
  },
});

@ArgsType()
export class UserPageArgs extends PageArgs {
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      "Counts `offset` from the end of the list, which makes the last pages as fast as the first. The order of the rows stays the same. Can't be combined with `after`.",
  })
  fromEnd!: boolean;
}

export const UserPage = createType("UserPage", "admin", "A page of users.", {
  rows: field.list(() => User, "The users of the page.", { access: Scope("users:read") }),
  endCursor: pageFields.endCursor,
});

@Resolver(() => UserPage)
export class UserPageResolver {
  @FieldResolver(() => Int, { description: "Number of users in the list, up to 10,000 unless `isExact` is true." })
  async total(
    @Root() page: UserRows,
    @Arg("isExact", () => Boolean, {
      defaultValue: false,
      description: "Whether to count all users. Slower; request it only if `isTotalCapped` is true.",
    })
    isExact: boolean,
    @Ctx() context: Context,
  ): Promise<number> {
    return isExact ? countUsers(context, page, null) : Math.min(await countedOnce(context, page), MAX_COUNTED);
  }

  @FieldResolver(() => Boolean, { description: "Whether the list has more than 10,000 users." })
  async isTotalCapped(@Root() page: UserRows, @Ctx() context: Context): Promise<boolean> {
    return (await countedOnce(context, page)) > MAX_COUNTED;
  }
}

function countedOnce(context: Context, page: UserRows): Promise<number> {
  page.counted ??= countUsers(context, page, MAX_COUNTED + 1);
  return page.counted;
}

/** Query cost of a search, including its total. */
const COST_OF_SEARCH = 300;
/** Number of skipped rows that cost one point. */
const SKIPPED_ROWS_PER_POINT = 40;

/** Calculates the query cost of a page of users before any row is read. */
const costOfUsers = ({
  args,
  childComplexity,
}: {
  args: { filter?: { search?: string | null }; first?: number; offset?: number };
  childComplexity: number;
}) => {
  const { first, offset = 0, filter } = args;
  const skipped = Math.max(0, offset) / SKIPPED_ROWS_PER_POINT;
  return calculateRowsCost(first, childComplexity) + skipped + (filter?.search?.trim() ? COST_OF_SEARCH : 0);
};

@Resolver(() => User)
export class UserResolver {
  @Allow("signedIn", { scope: "profile:read" })
  @Query(() => User, { description: "The signed-in user." })
  async me(@Ctx() context: Context): Promise<User> {
    return getUser(context, getCallerId(context));
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @Query(() => User, { description: "Returns a user by id." })
  async user(@Arg("id", () => ID, { description: "The user." }) id: string, @Ctx() context: Context): Promise<User> {
    return getUser(context, id);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @Query(() => UserSummary, {
    description: "Summarises a user's plan, debt, last activity and sign-in block.",
    complexity: 10,
  })
  async userSummary(
    @Arg("id", () => ID, { description: "The user." }) id: string,
    @Ctx() context: Context,
  ): Promise<UserSummary> {
    return getUserSummary(context, id);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @Query(() => UserPage, { description: "Lists users.", complexity: costOfUsers })
  async users(
    @CheckedArg("filter", UserFilter, { defaultValue: {} }) filter: InferType<typeof userListFilterRules>,
    @CheckedArg("order", UserOrder, { nullable: true }) order: InferType<typeof userOrderRules> | undefined,
    @Args(() => UserPageArgs) { first, offset, after, fromEnd }: UserPageArgs,
    @Ctx() context: Context,
  ): Promise<UserRows> {
    return listUsers(context, toUserListValues({ filter, order, first, offset, after, fromEnd }));
  }

  @Allow("signedIn", { scope: "billing:read" })
  @FieldResolver(() => Boolean, { description: "Whether the user has a running subscription." })
  async hasActiveSubscription(@Root() user: User, @Ctx() context: Context): Promise<boolean> {
    return hasActiveSubscription(context, user.id);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => Date, {
    nullable: true,
    description:
      "The time since which cancelling the subscription of an archived user is pending, in UTC. Null once the payment " +
      "provider has confirmed the cancellation and the refund of later charges. Retried automatically.",
  })
  async cancellationPendingSince(@Root() user: User, @Ctx() context: Context): Promise<Date | null> {
    return getCancellationPendingSince(context, user.id);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => [Contact], { description: "Contacts at the customer's company. For admins only." })
  async contacts(@Root() user: User, @Ctx() context: Context): Promise<Contact[]> {
    return userRelations.contacts(context, user.id);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => [BlockedMachine], { description: "Machine names that every licence of the user refuses." })
  async blockedMachines(@Root() user: User, @Ctx() context: Context): Promise<BlockedMachine[]> {
    return userRelations.blockedMachines(context, user.id);
  }

  @Allow("signedIn", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => [Licence], { description: "The user's licences, newest first." })
  async licences(@Root() user: User, @Ctx() context: Context): Promise<Licence[]> {
    return userRelations.licences(context, user.id);
  }
}

const defineRoute = routesOf("Users");
const { id, firstName, lastName, companyName, email, mobile } = exampleProfile;

/** Calls for listing users. */
export const userListRoutes = [
  defineRoute("POST /v1/users/filter", {
    allow: { audience: "admin", roles: customerStaff, scope: "users:read", harm: "none" },
    summary: `List users. Filters by member type and registration date, includes archived users, newest first. Without \`userTypes\`, all types are listed. Each page has up to ${formatNumber(MAX_ROWS)} users. \`X-Total-Count\` is the number of matching users. To get the next page, send the same body to the address in the \`Link\` header with rel="next"`,
    params: { after: { description: "Cursor of the next page, from the `Link` header of the previous response" } },
    query: userFilterQueryRules,
    body: userFilterRules,
    bodyExample: { userTypes: [1, 2], startDate: "2024-03-05 00:00:00", endDate: "2025-03-05 23:59:59" },
    responseHeaders: {
      "X-Total-Count": { description: "Number of matching users on all pages.", schema: { type: "integer" } },
      Link: {
        description: 'Address of the next page, as `<…>; rel="next"`. Absent on the last page.',
        schema: { type: "string" },
      },
    },
    response: Type.Array(userRowShape),
    example: [
      {
        id,
        firstName,
        lastName,
        companyName,
        email,
        mobile,
        userType: 1,
        registationDate: "2025-03-05T01:00:00.000Z",
        isActive: true,
        emailConfirmed: true,
      },
    ],
    handler: async ({ context, body, query }) => {
      const { userTypes = Object.values(MemberType), startDate, endDate } = body;
      const filter = { userTypes, startDate, endDate, includeArchived: true };
      const { rows, total, next } = await listFilteredUsersJson(context, filter, query.after);
      return new StatusResponse(200, rows, {
        "x-total-count": String(total),
        ...(next === null ? {} : { link: `</v1/users/filter?after=${next}>; rel="next"` }),
      });
    },
  }),
  defineRoute("POST /v1/users/export", {
    allow: { audience: "admin", roles: customerStaff, scope: "users:read", harm: "mass" },
    summary: `Export users. Returns all users of a list, in its order. All fields except \`columns\` are optional. \`search\`, \`userTypes\`, \`startDate\`, \`endDate\` and \`includeArchived\` filter as in the GraphQL query \`users\`; \`userIds\` selects up to 1,000 users. \`sortBy\` is one of ${userSorts.join(", ")}. \`columns\` are any of ${userExportColumns.join(", ")}. \`format\` is csv (default) or xlsx. The audit log records each export`,
    body: userExportRules,
    bodyExample: {
      search: "rail",
      userTypes: [1, 2],
      sortBy: "LAST_NAME",
      columns: ["firstName", "lastName", "email"],
    },
    errors: ["CONFLICT"],
    fileTypes: ["text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    fileExample: csvExamples.users,
    handler: async ({ context, body }) => new FileResponse(await exportUsers(context, body)),
  }),
];
