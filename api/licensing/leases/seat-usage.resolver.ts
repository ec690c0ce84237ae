import { Args, Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import { seatUsageRules, type SeatUsageValues } from "#schema/licence.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost } from "#api/platform/graphql/field-costs.ts";
import { Page, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { listSeatUsage } from "./list-seat-usage.ts";

const SeatUsageFilter = createInput("SeatUsageFilter", seatUsageRules, {
  description: "Search of the list of seats.",
  fields: {
    search: "Part of the customer's name, company or email, or of the support code.",
    onlyFull: "Return only licences with no seat available.",
  },
});

@VisibleTo("admin")
@ObjectType({ description: "The seats of one licence." })
export class SeatUsage {
  @Scope("licences:read")
  @Field(() => Licence, { description: "The licence." })
  licence!: Licence;

  @Field(() => Int, { description: "Seats in use now." })
  seatsInUse!: number;

  @Field(() => Int, { description: "Requests denied for lack of a seat in the last seven days." })
  denials!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "Active licences with seats, the fullest first, with totals of all that match the filter." })
export class SeatUsagePage extends Page {
  @Scope("licences:read")
  @Field(() => [SeatUsage], { description: "The licences of the page." })
  rows!: SeatUsage[];

  @Field(() => Int, { description: "Seats of all these licences." })
  seats!: number;

  @Field(() => Int, { description: "Seats in use on all these licences." })
  seatsInUse!: number;
}

@Resolver()
export class SeatUsageResolver {
  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @Query(() => SeatUsagePage, {
    complexity: createPageCost(0, 100),
    description: "Lists active licences with seats and how many of the seats are in use.",
  })
  async seatUsage(
    @CheckedArg("filter", SeatUsageFilter, { defaultValue: {} }) filter: SeatUsageValues,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<SeatUsagePage> {
    return listSeatUsage(context, { ...filter, ...toRowRange(page) });
  }
}
