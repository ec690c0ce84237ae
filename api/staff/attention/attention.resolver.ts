import { Arg, Args, Ctx, Field, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { LEAK_DAYS, leakSigns, LISTED_SIGNS } from "#schema/leaks.ts";
import { attentionListRules, attentionLists, MAX_COUNTED } from "#schema/attention.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, createReadCost } from "#api/platform/graphql/field-costs.ts";
import { buildCountedPage, Page, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { countAttention, listAttention, loadAttentionOfUser } from "./attention.ts";
import { enumListType, enumType } from "#api/platform/graphql/enum-type.ts";

@VisibleTo("admin")
@ObjectType({ description: "The number of rows in a list of items that need attention." })
export class AttentionCount {
  @Field(enumType(attentionLists), { description: "The list." })
  list!: string;

  @Field(() => Int, { description: `Number of rows, up to ${MAX_COUNTED}.` })
  count!: number;

  @Field(() => Boolean, { description: "Whether there are more rows than `count`." })
  isCapped!: boolean;
}

@VisibleTo("admin")
@ObjectType({
  description: `What the requests of a licence in ${LEAK_DAYS} days say about whether strangers use its code.`,
})
export class LeakEvidence {
  @Field(enumListType(leakSigns), { description: `The measurements that are signs; ${LISTED_SIGNS} list a licence.` })
  signs!: string[];

  @Field(() => Int, { description: "Number of networks (IPv4 /24, IPv6 /48)." })
  networks!: number;

  @Field(() => Int, { description: "Number of machine names." })
  machines!: number;

  @Field(() => Int, { description: "Number of machines that the licence permits." })
  permittedMachines!: number;

  @Field(() => Int, { description: "Most hours of the day, 0 to 24, in which one device sent requests." })
  hours!: number;

  @Field(() => Int, { description: "Number of devices whose hardware keeps alternating." })
  clones!: number;

  @Field(() => Date, { nullable: true, description: "When staff last asked the customer by email, in UTC." })
  askedAt!: Date | null;
}

@VisibleTo("admin")
@ObjectType({ description: "An item that needs attention." })
export class AttentionRow {
  @Field(() => ID, { description: "Unique ID." })
  id!: string;

  @Field(enumType(attentionLists), { description: "The list." })
  list!: string;

  @Field(() => Date, { description: "The time the event happened or will happen, in UTC." })
  at!: Date;

  @Field(() => String, { description: "A description of the item." })
  what!: string;

  @Field(() => ID, { nullable: true, description: "The licence concerned. Null if there is none." })
  licenceId!: string | null;

  @Scope("users:read")
  @Field(() => User, { description: "The user concerned." })
  user!: User;

  @Field(() => ID, { nullable: true, description: "The past due subscription of a failed renewal." })
  subscriptionId!: string | null;

  @Field(() => Int, { nullable: true, description: "Unpaid amount in cents including GST." })
  amountCents!: number | null;

  @Field(() => String, { nullable: true, description: "The bank's reason for the failed payment, in words." })
  reason!: string | null;

  @Field(() => Date, { nullable: true, description: "The time of the next automatic attempt to pay, in UTC." })
  nextRetryAt!: Date | null;

  @Scope("reports:read")
  @Field(() => LeakEvidence, { nullable: true, description: "The evidence of a leaked licence." })
  leak!: LeakEvidence | null;
}

@VisibleTo("admin")
@ObjectType({ description: "A page of items that need attention, most urgent first." })
export class AttentionPage extends Page {
  @Scope("reports:read")
  @Field(() => [AttentionRow], { description: "The items of the page." })
  rows!: AttentionRow[];
}

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
