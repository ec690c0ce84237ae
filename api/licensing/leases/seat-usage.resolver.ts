import { Args, Ctx, Query, Resolver } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import { seatUsageRules, type SeatUsageValues } from "#schema/licence.ts";
import { createPage, createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost } from "#api/platform/graphql/field-costs.ts";
import { PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { listSeatUsage } from "./list-seat-usage.ts";

const SeatUsageFilter = createInput("SeatUsageFilter", seatUsageRules, {
  description: "Search of the list of seats.",
  fields: {
    search: "Part of the customer's name, company or email, or of the support code.",
    onlyFull: "Return only licences with no seat available.",
  },
});

export const SeatUsage = createType("SeatUsage", VisibleTo("admin"), "The seats of one licence.", {
  licence: field.object(() => Licence, "The licence.", { access: Scope("licences:read") }),
  seatsInUse: field.integer("Seats in use now."),
  denials: field.integer("Requests denied for lack of a seat in the last seven days."),
});
export type SeatUsage = InstanceType<typeof SeatUsage>;

export const SeatUsagePage = createPage(
  "SeatUsagePage",
  VisibleTo("admin"),
  "Active licences with seats, the fullest first, with totals of all that match the filter.",
  {
    rows: field.list(() => SeatUsage, "The licences of the page.", { access: Scope("licences:read") }),
    seats: field.integer("Seats of all these licences."),
    seatsInUse: field.integer("Seats in use on all these licences."),
  },
);
export type SeatUsagePage = InstanceType<typeof SeatUsagePage>;

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
