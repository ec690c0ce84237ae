import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  dashboardFilterRules,
  type DashboardListName,
  dashboardLists,
  dashboardPeriods,
  dashboardRules,
} from "#schema/dashboard.ts";
import { moneyFigures } from "#api/billing/revenue/money-figures.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, createReadCost, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import {
  Dashboard,
  DashboardActivity,
  DashboardExpiring,
  DashboardPage,
  DashboardSubscriptions,
  DashboardTrials,
  DashboardVersions,
} from "./dashboard.types.ts";
import { type DashboardPeriod, createPeriod } from "./dashboard-period.ts";
import { listDashboard } from "./dashboard-lists.ts";
import { readActivityFigures, readVersionFigures } from "./read-activity.ts";
import { readExpiringFigures, readTrialFigures } from "./read-trials.ts";
import { readSubscriptionFigures } from "./read-subscriptions.ts";
import { Allow, createType, enumType, field } from "#api/platform/graphql/declare.ts";
import { MemberType } from "#schema/user.ts";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";

const SinceYesterday = createType(
  "SinceYesterday",
  "admin",
  "What happened since the start of yesterday in the vendor's time zone.",
  {
    firstDay: field.day("Yesterday."),
    newCustomers: field.integer("Customers who registered or whom staff created."),
    payments: field.integer("Payments by card and by hand."),
    cancellations: field.integer("Subscriptions that were cancelled and not resumed."),
    failedPayments: field.integer("Renewals and changes whose first charge failed."),
    builds: field.integer("Builds of the add-in that were published."),
  },
);
type SinceYesterday = InstanceType<typeof SinceYesterday>;

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
        (select count(*)::int from users where registered_at >= $1 and member_type <> ${MemberType.Admin}
          and sign_in_email is not null) as "newCustomers",
        (select count(*)::int from (${moneyFigures.collected("$2::date", "$3::date")}) collected) as payments,
        (select count(*)::int from (
          select subscription_id from subscription_cancellations where cancelled_at >= $1 and withdrawn_at is null
          union
          select a.subscription_id from subscription_actions a join subscriptions s on s.id = a.subscription_id
           where a.kind in ('CANCEL_NOW', 'CANCEL_AT_PERIOD_END') and a.status = 'DONE' and a.finished_at >= $1
             and (s.is_cancelled_at_period_end or s.status = 'cancelled')) cancelled) as cancellations,
        (select count(*)::int from (${moneyFigures.failed("$2::date", "$3::date")}) failed) as "failedPayments",
        (select count(*)::int from software_builds where published_at >= $1) as builds`,
      // The page of Tax that lists the payments and the failed ones has the same rows.
      values: [getStartOfDay(firstDay), firstDay, addDays(firstDay, 2)],
    });
    return { firstDay, ...(rows[0] as Omit<SinceYesterday, "firstDay">) };
  }
}

const daysDescription = `Length of the period in days: ${dashboardPeriods.map(({ value }) => value).join(", ")}.`;

/** Query cost of a list. The slowest list, `devices-seen`, takes 50 ms. */
const LIST_COST = 500;

const DashboardFilter = createInput("DashboardFilter", dashboardFilterRules, {
  description: "Search of a dashboard list.",
  fields: {
    only: "Plan price to filter `subscriptions-active` by, or version to filter `devices-seen` by.",
    search: "Text matched at word starts in the user's name, company and email.",
  },
});

/** Resolves each requested section of the dashboard with one SQL statement. */
@Resolver(() => Dashboard)
export class DashboardResolver {
  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => Dashboard, { description: "Key figures of the business over a period that ends today." })
  dashboard(
    @Arg("days", () => Int, { description: daysDescription }) days: number,
    @Ctx() context: Context,
  ): Dashboard {
    return createPeriod(context.clock.now(), check(dashboardRules, { days }).days);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @FieldResolver(() => DashboardTrials, {
    complexity: createReadCost(20),
    description: "Trials and how many became subscriptions.",
  })
  async trials(@Root() period: DashboardPeriod, @Ctx() context: Context): Promise<DashboardTrials> {
    return readTrialFigures(context, period);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @FieldResolver(() => DashboardSubscriptions, {
    complexity: createReadCost(30),
    description: "Subscriptions and their value.",
  })
  async subscriptions(@Root() period: DashboardPeriod, @Ctx() context: Context): Promise<DashboardSubscriptions> {
    return readSubscriptionFigures(context, period);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @FieldResolver(() => DashboardActivity, {
    complexity: createReadCost(90),
    description: "Licence checks, activations and refusals.",
  })
  async activity(@Root() period: DashboardPeriod, @Ctx() context: Context): Promise<DashboardActivity> {
    return readActivityFigures(context, period);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @FieldResolver(() => DashboardVersions, {
    complexity: createReadCost(350),
    description: "Versions of the add-in in use.",
  })
  async versions(@Ctx() context: Context): Promise<DashboardVersions> {
    return readVersionFigures(context);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @FieldResolver(() => DashboardExpiring, { complexity: createReadCost(20), description: "Licences that expire soon." })
  async expiring(@Ctx() context: Context): Promise<DashboardExpiring> {
    return readExpiringFigures(context);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => DashboardPage, {
    description: "Lists the records counted by one figure of the dashboard.",
    complexity: createPageCost(LIST_COST),
  })
  async dashboardList(
    @Arg("list", enumType(dashboardLists), { description: "The list." }) list: DashboardListName,
    @Arg("days", () => Int, { description: daysDescription }) days: number,
    @CheckedArg("filter", DashboardFilter, { defaultValue: {} }) filter: InferType<typeof dashboardFilterRules>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<DashboardPage> {
    return listDashboard(context, { list, ...check(dashboardRules, { days }), ...filter, ...toRowRange(page) });
  }
}
