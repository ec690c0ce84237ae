import { Arg, Args, Ctx, Query, Resolver } from "type-graphql";
import { findEntry } from "#schema/closed-list.ts";
import { moneyEntriesRules, moneyFigureList, type MoneyFigureName, moneyReportRules } from "#schema/money-report.ts";
import { Allow, createType, enumType, field } from "#api/platform/graphql/declare.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import {
  endDescription,
  startDescription,
  TaxEntryFilter,
  TaxEntryPage,
  type TaxFilterValues,
} from "#api/billing/tax/tax.resolver.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg } from "#api/platform/graphql/create-input.ts";
import { createPageCost, createReadCost, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import { listMoneyEntries, type MoneyMonth as Month, readMoneyMonths } from "./read-money.ts";

/** Declares the field of a figure. */
const figure = (name: MoneyFigureName, note = "") =>
  field.number([findEntry(moneyFigureList, name)?.description, note].join(" ").trim());

export const MoneyMonth = createType(
  "MoneyMonth",
  "admin",
  "The figures of a month in AUD cents. The rows of `moneyEntries` add up to each.",
  {
    startDate: field.day("First day, in the vendor's time zone."),
    endDate: field.day("Last day; today for the current month."),
    isForecast: field.flag(
      "Whether the days are after today. Revenue is then what issued invoices will earn. Leave it out of totals.",
    ),
    invoiced: figure("invoiced"),
    revenue: figure("revenue"),
    deferred: figure("deferred"),
    collected: figure("collected"),
    refunded: figure("refunded", "Negative."),
    failed: figure("failed"),
    recovered: figure("recovered"),
  },
);

@Resolver()
export class MoneyResolver {
  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Query(() => [MoneyMonth], {
    description: "Revenue, deferred revenue, cash and failed payments by month.",
    complexity: createReadCost(900),
  })
  async moneyReport(
    @Arg("startDate", () => DayScalar, { description: startDescription }) startDate: string,
    @Arg("endDate", () => DayScalar, { description: endDescription }) endDate: string,
    @Ctx() context: Context,
  ): Promise<Month[]> {
    return readMoneyMonths(context, check(moneyReportRules, { startDate, endDate }));
  }

  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Query(() => TaxEntryPage, {
    description: "The rows that add up to a figure of the revenue report.",
    complexity: createPageCost(300),
  })
  async moneyEntries(
    @Arg("figure", enumType(moneyFigureList), { description: moneyFigureList.meaning }) figure: string,
    @Arg("startDate", () => DayScalar, { description: startDescription }) startDate: string,
    @Arg("endDate", () => DayScalar, { description: endDescription }) endDate: string,
    @CheckedArg("filter", TaxEntryFilter, { defaultValue: {} }) filter: TaxFilterValues,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<TaxEntryPage> {
    const request = check(moneyEntriesRules, { figure, startDate, endDate, ...filter });
    return listMoneyEntries(context, { ...request, ...toRowRange(page) });
  }
}
