import { Arg, Ctx, Field, ID, InputType, Int, ObjectType, Query, Resolver } from "type-graphql";
import { attentionLists } from "#schema/attention-lists.ts";
import { MOST_COUNTED, MOST_LISTED } from "#schema/rules/attention.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { costOfRead, costOfRows } from "#api/platform/field-costs.ts";
import { countAttention, listAttention } from "./attention.ts";

const namesOfLists = `${attentionLists.join(", ")}.`;

@ObjectType({ description: "How much of one kind needs staff's attention." })
export class AttentionCount {
  @Field(() => String, { description: namesOfLists })
  list!: string;

  @Field(() => Int, { description: `At most ${MOST_COUNTED}.` })
  count!: number;

  @Field(() => Boolean, { description: "There are more than `count`." })
  isCapped!: boolean;
}

@ObjectType({ description: "One thing that needs attention, and whose it is." })
export class AttentionRow {
  @Field(() => ID)
  id!: string;

  @Field(() => Date, { description: "When it happened, or will; UTC." })
  at!: Date;

  @Field(() => String, { description: "In words." })
  what!: string;

  @Field(() => ID, { nullable: true })
  licenceId!: string | null;

  @Field(() => User)
  user!: User;
}

@ObjectType({ description: "A page of what needs attention, most urgent first." })
export class AttentionPage {
  @Field(() => [AttentionRow])
  rows!: AttentionRow[];

  @Field(() => Int, { description: `At most ${MOST_LISTED}.` })
  total!: number;

  @Field(() => Boolean, { description: "There are more than `total`." })
  isCapped!: boolean;
}

@InputType({ description: "Which part of a list." })
export class AttentionFilter {
  @Field(() => String, { nullable: true, description: "Words matched at word starts in name, company and email." })
  search?: string;

  @Field(() => Int, { defaultValue: 0, description: `At most ${MOST_LISTED}.` })
  offset: number = 0;

  @Field(() => Int, { defaultValue: 10, description: "At most 100." })
  limit: number = 10;
}

@Resolver()
export class AttentionResolver {
  @Allow("admin")
  @Query(() => [AttentionCount], {
    description: "What needs attention today: how many rows each list has.",
    complexity: costOfRead(60),
  })
  async attention(@Ctx() context: Context): Promise<AttentionCount[]> {
    return countAttention(context);
  }

  @Allow("admin")
  @Query(() => AttentionPage, {
    description: "One of the lists that `attention` counts.",
    complexity: ({ args, childComplexity }) =>
      60 + costOfRows((args as { filter?: AttentionFilter }).filter?.limit ?? 10, childComplexity),
  })
  async attentionList(
    @Arg("list", () => String, { description: namesOfLists }) list: string,
    @Arg("filter", () => AttentionFilter, { defaultValue: {} }) filter: AttentionFilter,
    @Ctx() context: Context,
  ): Promise<AttentionPage> {
    const { search, offset, limit } = filter;
    const { rows, count, isCapped } = await listAttention(context, { list, search, offset, limit });
    return { rows, total: count, isCapped };
  }
}
