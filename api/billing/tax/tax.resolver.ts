import { Arg, Args, Ctx, Field, Float, ID, Int, ObjectType, Query, Resolver } from "type-graphql";
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
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { createPageCost, createReadCost } from "#api/platform/graphql/field-costs.ts";
import { Page, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import { listTaxEntries, readTaxSummary } from "./read-tax.ts";

@VisibleTo("admin")
@ObjectType({ description: "A figure of the GST summary, in AUD cents. The rows of `taxEntries` add up to it." })
export class TaxFigure {
  @Field(enumType(taxFigureList), { description: taxFigureList.meaning })
  name!: TaxFigureName;

  @Field(() => String, { nullable: true, description: "Label on the business activity statement, such as `G1`." })
  code!: string | null;

  @Field(() => String, { description: "The figure in words." })
  label!: string;

  @Field(() => Float, {
    description: "The exact sum of the rows. Adjustments are negative, and GST on them (1B) is positive.",
  })
  cents!: number;

  @Field(() => Float, {
    nullable: true,
    description: "Whole dollars, as the business activity statement wants them. Null if it has no such field.",
  })
  dollars!: number | null;

  @Field(() => Int, { description: "Number of rows." })
  count!: number;
}

@VisibleTo("admin")
@ObjectType("TaxEntry", { description: "A document, or a payment of it, counted by a figure of the GST summary." })
export class TaxEntryType {
  @Field(() => ID, { description: "Id of the row: of the document, or of its payment on a cash basis." })
  id!: string;

  @Field(() => Date, { description: "Date of issue, or of payment on a cash basis." })
  at!: Date;

  @Field(() => String, { description: "Number of the document." })
  number!: string;

  @Field(enumType(entryKinds), { description: entryKinds.meaning })
  kind!: EntryKind;

  @Field(() => ID, { description: "The customer." })
  userId!: string;

  @Field(() => String, { description: "The buyer's name on the document." })
  customer!: string;

  @Field(() => String, { description: "What the document is for." })
  description!: string;

  @Field(() => Int, { description: "Amount including GST; negative for an adjustment note." })
  totalCents!: number;

  @Field(() => Int, { description: "GST; negative for an adjustment note." })
  gstCents!: number;

  @Field(() => Int, { description: "The amount that the figure adds up." })
  amountCents!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "A page of the rows of a figure, newest first." })
export class TaxEntryPage extends Page {
  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Field(() => [TaxEntryType], { description: "The rows of the page." })
  rows!: TaxEntryType[];

  @Field(() => Float, { description: "Sum of `amountCents` over all rows that match." })
  sumCents!: number;
}

export const taxFilterRules = taxEntriesRules.pick(["search"]);
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
