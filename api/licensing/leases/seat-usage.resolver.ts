import { Arg, Ctx, Field, InputType, Int, ObjectType, Query, Resolver } from "type-graphql";
import { type SeatUsageValues, seatUsageRules } from "#schema/rules/seat-usage.ts";
import { Allow, Check, Scope, VisibleTo } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { calculateRowsCost } from "#api/platform/field-costs.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { listSeatUsage } from "./list-seat-usage.ts";

@InputType({ description: "Search and paging of the list of seats." })
export class SeatUsageFilter implements SeatUsageValues {
  @Field(() => String, {
    nullable: true,
    description: "Part of the customer's name, company or email, or of the support code.",
  })
  search?: string;

  @Field(() => Boolean, { defaultValue: false, description: "Return only licences with no seat available." })
  onlyFull: boolean = false;

  @Field(() => Int, { defaultValue: 0 })
  offset: number = 0;

  @Field(() => Int, { defaultValue: 20, description: "At most 100." })
  limit: number = 20;
}

@VisibleTo("admin")
@ObjectType({ description: "The seats of one licence." })
export class SeatUsage {
  @Scope("licences:read")
  @Field(() => Licence)
  licence!: Licence;

  @Field(() => Int, { description: "Seats in use now." })
  seatsInUse!: number;

  @Field(() => Int, { description: "Requests denied for lack of a seat in the last seven days." })
  denials!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "Active licences with seats, the fullest first, with totals of all that match the filter." })
export class SeatUsagePage {
  @Scope("licences:read")
  @Field(() => [SeatUsage])
  rows!: SeatUsage[];

  @Field(() => Int, { description: "Number of licences." })
  total!: number;

  @Field(() => Int, { description: "Seats of all these licences." })
  seats!: number;

  @Field(() => Int, { description: "Seats in use on all these licences." })
  seatsInUse!: number;
}

@Resolver()
export class SeatUsageResolver {
  @Allow("admin", { roles: "all", scope: "licences:read" })
  @Query(() => SeatUsagePage, {
    complexity: ({ args, childComplexity }) =>
      calculateRowsCost((args.filter as Partial<SeatUsageValues> | undefined)?.limit, childComplexity, 100),
    description: "Lists active licences with seats and how many of the seats are in use.",
  })
  @Check({ filter: seatUsageRules })
  async seatUsage(
    @Arg("filter", () => SeatUsageFilter, { defaultValue: {} }) filter: SeatUsageFilter,
    @Ctx() context: Context,
  ): Promise<SeatUsagePage> {
    return listSeatUsage(context, filter);
  }
}
