import { Arg, Args, Ctx, Query, Resolver } from "type-graphql";
import type { InferType } from "yup";
import { findEntry } from "#schema/closed-list.ts";
import {
  type EntryKind,
  entryKinds,
  taxBases,
  taxEntriesRules,
  taxFigureList,
  type TaxFigureName,
  taxSummaryRules,
} from "#schema/tax.ts";
import { Allow, createPage, createType, enumType, field, fieldOrNull } from "#api/platform/graphql/declare.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, createReadCost, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import { listTaxEntries, readTaxSummary } from "./read-tax.ts";

export const TaxFigure = createType(
  "TaxFigure",
  "admin",
  "A figure of the GST summary, in AUD cents. The rows of `taxEntries` add up to it.",
  {
    name: field.choice<TaxFigureName>(taxFigureList),
    code: fieldOrNull.text("Label on the business activity statement, such as `G1`."),
    label: field.text("The figure in words."),
    cents: field.number("The exact sum of the rows. Adjustments are negative, and GST on them (1B) is positive."),
    dollars: fieldOrNull.number(
      "Whole dollars, as the business activity statement wants them. Null if it has no such field.",
    ),
    count: field.integer("Number of rows."),
  },
);
export type TaxFigure = InstanceType<typeof TaxFigure>;

export const TaxEntryType = createType(
  "TaxEntry",
  "admin",
  "A document, or a payment of it, counted by a figure of the GST summary.",
  {
    id: field.id("Id of the row: of the document, or of its payment on a cash basis."),
    at: field.moment("Date of issue, or of payment on a cash basis."),
    number: field.text("Number of the document."),
    kind: field.choice<EntryKind>(entryKinds),
    userId: field.id("The customer."),
    customer: field.text("The buyer's name on the document."),
    description: field.text("What the document is for."),
    totalCents: field.integer("Amount including GST; negative for an adjustment note."),
    gstCents: field.integer("GST; negative for an adjustment note."),
    amountCents: field.integer("The amount that the figure adds up."),
  },
);
export type TaxEntryType = InstanceType<typeof TaxEntryType>;

export const TaxEntryPage = createPage("TaxEntryPage", "admin", "A page of the rows of a figure, newest first.", {
  rows: field.list(() => TaxEntryType, "The rows of the page.", {
    access: Allow("admin", { roles: ["finance"], scope: "reports:read" }),
  }),
  sumCents: field.number("Sum of `amountCents` over all rows that match."),
});
export type TaxEntryPage = InstanceType<typeof TaxEntryPage>;

const taxFilterRules = taxEntriesRules.pick(["search"]);
export type TaxFilterValues = InferType<typeof taxFilterRules>;

export const TaxEntryFilter = createInput("TaxEntryFilter", taxFilterRules, {
  description: "Search of the rows of a figure.",
  fields: { search: "Beginnings of words in the number, customer or description." },
});

export const startDescription = "First day in the vendor's time zone.";
export const endDescription = "Last day in the vendor's time zone.";

/** Cost of reading a year of documents. */
const READ_COST = 300;

@Resolver()
export class TaxResolver {
  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Query(() => [TaxFigure], {
    description: "The GST summary of a period: figures for the business activity statement.",
    complexity: createReadCost(READ_COST),
  })
  async taxSummary(
    @Arg("startDate", () => DayScalar, { description: startDescription }) startDate: string,
    @Arg("endDate", () => DayScalar, { description: endDescription }) endDate: string,
    @Arg("basis", enumType(taxBases), { defaultValue: "accrual", description: taxBases.meaning }) basis: string,
    @Ctx() context: Context,
  ): Promise<TaxFigure[]> {
    const figures = await readTaxSummary(context, check(taxSummaryRules, { startDate, endDate, basis }));
    return figures.map((figure) => {
      const { box = null, label = figure.name } = findEntry(taxFigureList, figure.name) ?? {};
      return { ...figure, code: box, label };
    });
  }

  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Query(() => TaxEntryPage, {
    description: "The rows that add up to a figure of the GST summary.",
    complexity: createPageCost(READ_COST),
  })
  async taxEntries(
    @Arg("figure", enumType(taxFigureList), { description: taxFigureList.meaning }) figure: string,
    @Arg("startDate", () => DayScalar, { description: startDescription }) startDate: string,
    @Arg("endDate", () => DayScalar, { description: endDescription }) endDate: string,
    @Arg("basis", enumType(taxBases), { defaultValue: "accrual", description: taxBases.meaning }) basis: string,
    @CheckedArg("filter", TaxEntryFilter, { defaultValue: {} }) filter: TaxFilterValues,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<TaxEntryPage> {
    const request = { figure, startDate, endDate, basis, ...filter };
    return listTaxEntries(context, { ...check(taxEntriesRules, request), ...toRowRange(page) });
  }
}
