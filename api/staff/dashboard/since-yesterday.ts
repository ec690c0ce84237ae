import { Ctx, Query, Resolver } from "type-graphql";
import { MemberType } from "#schema/user.ts";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import type { Context } from "#api/platform/context.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import { createReadCost } from "#api/platform/graphql/field-costs.ts";

export const SinceYesterday = createType(
  "SinceYesterday",
  VisibleTo("admin"),
  "What happened since the start of yesterday in the vendor's time zone.",
  {
    firstDay: field.day("Yesterday."),
    newCustomers: field.integer("Customers who registered or whom staff created."),
    payments: field.integer("Payments by card and by hand."),
    cancellations: field.integer("Subscriptions that were cancelled and not resumed."),
    failedPayments: field.integer("Refused charges."),
    builds: field.integer("Builds of the add-in that were published."),
  },
);
export type SinceYesterday = InstanceType<typeof SinceYesterday>;

@Resolver()
export class SinceYesterdayResolver {
  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => SinceYesterday, {
    description: "Counts what happened since the start of yesterday in the vendor's time zone.",
    complexity: createReadCost(30),
  })
  async sinceYesterday(@Ctx() { reads, clock }: Context): Promise<SinceYesterday> {
    const firstDay = addDays(getCalendarDay(clock.now()), -1);
    const { rows } = await reads.query<Omit<SinceYesterday, "firstDay">>({
      name: "since-yesterday",
      text: `select
        (select count(*)::int from users where registered_at >= $1 and member_type <> ${MemberType.Admin} and deleted_at is null)
          as "newCustomers",
        (select count(*)::int from payment_attempts where at >= $1 and reason is null)
          + (select count(*)::int from received_payments where received_at >= $1) as payments,
        (select count(*)::int from subscription_cancellations where cancelled_at >= $1 and withdrawn_at is null)
          as cancellations,
        (select count(*)::int from payment_attempts where at >= $1 and reason is not null) as "failedPayments",
        (select count(*)::int from software_builds where published_at >= $1) as builds`,
      values: [getStartOfDay(firstDay)],
    });
    const counts = rows[0] ?? { newCustomers: 0, payments: 0, cancellations: 0, failedPayments: 0, builds: 0 };
    return { firstDay, ...counts };
  }
}
