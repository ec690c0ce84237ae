import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { LEAK_DAYS, leakSigns, LISTED_SIGNS } from "#schema/leaks.ts";
import { type AttentionListName, attentionListRules, attentionLists, MAX_COUNTED } from "#schema/attention.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createPage, createType, field, enumType } from "#api/platform/graphql/create-type.ts";
import { Allow, Scope } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, createReadCost, buildCountedPage, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { countAttention, listAttention, loadAttentionOfUser } from "./attention.ts";

export const AttentionCount = createType(
  "AttentionCount",
  "admin",
  "The number of rows in a list of items that need attention.",
  {
    list: field.choice<AttentionListName>(attentionLists, "The list."),
    count: field.integer(`Number of rows, up to ${MAX_COUNTED}.`),
    isCapped: field.flag("Whether there are more rows than `count`."),
  },
);
export type AttentionCount = InstanceType<typeof AttentionCount>;

export const LeakEvidence = createType(
  "LeakEvidence",
  "admin",
  `What the requests of a licence in ${LEAK_DAYS} days say about whether strangers use its code.`,
  {
    signs: field.choices(leakSigns, `The measurements that are signs; ${LISTED_SIGNS} list a licence.`),
    networks: field.integer("Number of networks (IPv4 /24, IPv6 /48)."),
    machines: field.integer("Number of machine names."),
    permittedMachines: field.integer("Number of machines that the licence permits."),
    hours: field.integer("Most hours of the day, 0 to 24, in which one device sent requests."),
    clones: field.integer("Number of devices whose hardware keeps alternating."),
    askedAt: field.moment("When staff last asked the customer by email, in UTC.", { nullable: true }),
  },
);

export const AttentionRow = createType("AttentionRow", "admin", "An item that needs attention.", {
  id: field.id("Unique ID."),
  list: field.choice<AttentionListName>(attentionLists, "The list."),
  at: field.moment("The time the event happened or will happen, in UTC."),
  what: field.text("A description of the item."),
  licenceId: field.id("The licence concerned. Null if there is none.", { nullable: true }),
  user: field.object(() => User, "The user concerned.", { access: Scope("users:read") }),
  subscriptionId: field.id("The past due subscription of a failed renewal.", { nullable: true }),
  amountCents: field.integer("Unpaid amount in cents including GST.", { nullable: true }),
  reason: field.text("The bank's reason for the failed payment, in words.", { nullable: true }),
  nextRetryAt: field.moment("The time of the next automatic attempt to pay, in UTC.", { nullable: true }),
  leak: field.object(() => LeakEvidence, "The evidence of a leaked licence.", {
    nullable: true,
    access: Scope("reports:read"),
  }),
});
export type AttentionRow = InstanceType<typeof AttentionRow>;

export const AttentionPage = createPage(
  "AttentionPage",
  "admin",
  "A page of items that need attention, most urgent first.",
  {
    rows: field.list(() => AttentionRow, "The items of the page.", { access: Scope("reports:read") }),
  },
);
export type AttentionPage = InstanceType<typeof AttentionPage>;

const filterRules = attentionListRules.omit(["list"]);

const AttentionFilter = createInput("AttentionFilter", filterRules, {
  description: "Search of a list.",
  fields: {
    search: "Text to find at word starts in the user's name, company or email.",
  },
});

@Resolver()
export class AttentionResolver {
  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => [AttentionCount], {
    description: "Counts the rows of each list of items that need attention.",
    complexity: createReadCost(60),
  })
  async attention(@Ctx() context: Context): Promise<AttentionCount[]> {
    return countAttention(context);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => AttentionPage, {
    description: "Returns a page of one of the lists that `attention` counts.",
    complexity: createPageCost(60),
  })
  async attentionList(
    @Arg("list", enumType(attentionLists), { description: "The list." }) list: string,
    @CheckedArg("filter", AttentionFilter, { defaultValue: {} }) filter: InferType<typeof filterRules>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<AttentionPage> {
    const range = toRowRange(page);
    const { rows, count, isCapped } = await listAttention(context, { list, ...filter, ...range });
    return { ...buildCountedPage(rows, { ...range, total: count }), isTotalCapped: isCapped };
  }
}

@Resolver(() => User)
export class AttentionOfUserResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => [AttentionRow], {
    description: "What needs attention about the user: at most five rows of each list that `attention` counts.",
    complexity: createReadCost(60),
  })
  async attention(@Root() user: User, @Ctx() context: Context): Promise<AttentionRow[]> {
    return loadAttentionOfUser(context, user);
  }
}
