import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { dashboardListRules, dashboardLists, dashboardPeriods, dashboardRules } from "#schema/dashboard.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, createReadCost } from "#api/platform/graphql/field-costs.ts";
import { PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
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
import { listDashboard } from "./list-dashboard.ts";
import { readActivityFigures } from "./read-activity.ts";
import { readExpiringFigures } from "./read-expiring.ts";
import { readSubscriptionFigures } from "./read-subscriptions.ts";
import { readTrialFigures } from "./read-trials.ts";
import { readVersionFigures } from "./read-versions.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

const daysDescription = `Length of the period in days: ${dashboardPeriods.map(({ value }) => value).join(", ")}.`;

/** Query cost of a list. The slowest list, `devices-seen`, takes 50 ms. */
const LIST_COST = 500;

const filterRules = dashboardListRules.omit(["list", "days"]);

const DashboardFilter = createInput("DashboardFilter", filterRules, {
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
  async trials(@Root() period: Dashboard, @Ctx() context: Context): Promise<DashboardTrials> {
    return readTrialFigures(context, period as DashboardPeriod);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @FieldResolver(() => DashboardSubscriptions, {
    complexity: createReadCost(30),
    description: "Subscriptions and their value.",
  })
  async subscriptions(@Root() period: Dashboard, @Ctx() context: Context): Promise<DashboardSubscriptions> {
    return readSubscriptionFigures(context, period as DashboardPeriod);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @FieldResolver(() => DashboardActivity, {
    complexity: createReadCost(90),
    description: "Licence checks, activations and refusals.",
  })
  async activity(@Root() period: Dashboard, @Ctx() context: Context): Promise<DashboardActivity> {
    return readActivityFigures(context, period as DashboardPeriod);
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
    @Arg("list", enumType(dashboardLists), { description: "The list." }) list: string,
    @Arg("days", () => Int, { description: daysDescription }) days: number,
    @CheckedArg("filter", DashboardFilter, { defaultValue: {} }) filter: InferType<typeof filterRules>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<DashboardPage> {
    return listDashboard(context, { list, days, ...filter, ...toRowRange(page) });
  }
}
