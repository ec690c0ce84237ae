import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { findLabel, formatLegend, licenceCategories, productLevels } from "#schema/catalogue.ts";
import {
  bulkListRules,
  type BulkListValues,
  licenceFilterRules,
  type LicenceFilterValues,
} from "#schema/rules/bulk.ts";
import type { UserSelectionValues } from "#schema/rules/user-list.ts";
import { line } from "#schema/rules/text.ts";
import { object } from "yup";
import { Allow, Check, Scope, VisibleTo } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { BulkRow } from "./bulk-row.entity.ts";
import { BulkRun } from "./bulk-run.entity.ts";
import { formatFileDate } from "./validate-values.ts";
import { getRun, listRows, listRuns } from "./list-runs.ts";
import { openFilterRun } from "./open-run.ts";
import { cancelRun, startRun } from "./start-and-cancel.ts";

@InputType({ description: "Search and paging of bulk runs, or of the rows of a bulk run." })
export class BulkListFilter implements BulkListValues {
  @Field(() => String, {
    nullable: true,
    description: "For runs, part of the file name, admin or kind. For rows, part of the label.",
  })
  search?: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description: "For rows, return only those that were skipped or failed.",
  })
  onlyFaults: boolean = false;

  @Field(() => Int, { defaultValue: 0 })
  offset: number = 0;

  @Field(() => Int, { defaultValue: 10, description: "At most 100." })
  limit: number = 10;
}

@InputType({
  description: "Users selected by ID, or by the filter of the user list. All given conditions must be met.",
})
export class UserSelectionInput implements UserSelectionValues {
  @Field(() => [ID], { nullable: true, description: "IDs of at most 1,000 users." })
  userIds?: string[];

  @Field(() => String, { nullable: true, description: "As in `UserFilter`." })
  search?: string;

  @Field(() => [Int], { nullable: true, description: "As in `UserFilter`." })
  userTypes?: number[];

  @Field(() => String, { nullable: true, description: "As in `UserFilter`." })
  startDate?: string;

  @Field(() => String, { nullable: true, description: "As in `UserFilter`." })
  endDate?: string;

  @Field(() => Boolean, { defaultValue: true })
  includeArchived: boolean = true;
}

@InputType({ description: "A bulk run over the licences that meet all given conditions." })
export class BulkFilterRunInput implements LicenceFilterValues {
  @Field(() => String, { description: "`extend-licences` or `deactivate-licences`." })
  kind!: LicenceFilterValues["kind"];

  @Field(() => String, {
    nullable: true,
    description: "When extending, the new expiry date (YYYY-MM-DD). Give this or `addDays`.",
  })
  expiryDate?: LicenceFilterValues["expiryDate"];

  @Field(() => Int, {
    nullable: true,
    description: "When extending, number of days to add to the expiry date, or to today if the licence has expired.",
  })
  addDays?: number;

  @Field(() => Int, { nullable: true, description: formatLegend(productLevels) })
  productLevel?: number;

  @Field(() => Int, { nullable: true, description: formatLegend(licenceCategories) })
  licenceCategory?: number;

  @Field(() => String, { nullable: true, description: "The complete purchase order number, as stored on the licence." })
  purchaseOrderNumber?: string;

  @Field(() => String, { nullable: true, description: "First expiry date to include (YYYY-MM-DD)." })
  expiringFrom?: LicenceFilterValues["expiringFrom"];

  @Field(() => String, { nullable: true, description: "Last expiry date to include (YYYY-MM-DD)." })
  expiringTo?: LicenceFilterValues["expiringTo"];

  @Field(() => Boolean, { nullable: true, description: "Only trial licences." })
  onlyTrials?: boolean;

  @Field(() => UserSelectionInput, { nullable: true, description: "Only the licences of these users." })
  users?: UserSelectionInput;
}

@VisibleTo("admin")
@ObjectType({ description: "A page of bulk runs, newest first." })
export class BulkRunPage {
  @Scope("session")
  @Field(() => [BulkRun])
  rows!: BulkRun[];

  @Field(() => Int)
  total!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "A page of a run's rows, by row number." })
export class BulkRowPage {
  @Scope("session")
  @Field(() => [BulkRow])
  rows!: BulkRow[];

  @Field(() => Int)
  total!: number;
}

/** Returns the query cost of a list: its page size multiplied by the cost of a row. */
const getListCost = ({ args, childComplexity }: { args: { filter?: BulkListFilter }; childComplexity: number }) =>
  Math.max(1, args.filter?.limit ?? 10) * childComplexity;

const confirmationRules = object({ confirmation: line(100) });

@Resolver(() => BulkRun)
export class BulkResolver {
  @Allow("admin", { roles: ["support"], scope: "session" })
  @Check({ filter: bulkListRules })
  @Query(() => BulkRunPage, { complexity: getListCost })
  bulkRuns(
    @Arg("filter", () => BulkListFilter, { defaultValue: {} }) filter: BulkListFilter,
    @Ctx() context: Context,
  ): Promise<BulkRunPage> {
    return listRuns(context, filter);
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @Query(() => BulkRun)
  bulkRun(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<BulkRun> {
    return getRun(context, id);
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @Check({ input: licenceFilterRules })
  @Mutation(() => BulkRun, {
    description:
      "Checks the licences that meet the conditions without changing them. Upload files to /v1/admin/bulk-runs.",
  })
  openBulkRun(
    @Arg("input", () => BulkFilterRunInput) input: BulkFilterRunInput,
    @Ctx() context: Context,
  ): Promise<BulkRun> {
    return openFilterRun(context, input);
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @Mutation(() => BulkRun, {
    description: "Starts processing the valid rows of a checked run. Has no effect if the run has already started.",
  })
  startBulkRun(
    @Arg("id", () => ID) id: string,
    @Arg("confirmation", () => String, { nullable: true, description: "`DEACTIVATE` to confirm a deactivation." })
    confirmation: string | null,
    @Ctx() context: Context,
  ): Promise<BulkRun> {
    return startRun(context, id, check(confirmationRules, { confirmation }).confirmation ?? "");
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @Mutation(() => BulkRun, {
    description: "Stops a run, or discards a run that hasn't started. Rows already processed are kept.",
  })
  cancelBulkRun(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<BulkRun> {
    return cancelRun(context, id);
  }

  @Allow("admin", { roles: "all", scope: "session" })
  @Check({ filter: bulkListRules })
  @FieldResolver(() => BulkRowPage, { complexity: getListCost })
  rows(
    @Root() run: BulkRun,
    @Arg("filter", () => BulkListFilter, { defaultValue: {} }) filter: BulkListFilter,
    @Ctx() context: Context,
  ): Promise<BulkRowPage> {
    return listRows(context, run.id, filter);
  }

  @Allow("admin", { roles: "all", scope: "session" })
  @FieldResolver(() => [String], {
    description: "The run's options and licence conditions as readable phrases.",
  })
  terms(@Root() { options }: BulkRun): string[] {
    const { expiresAt, addDays, inviteByMail, conditions = {}, users } = options;
    const { productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo, onlyTrials } = conditions;
    const day = (iso: string) => formatFileDate(new Date(iso));
    return [
      expiresAt && `New expiry date ${day(expiresAt)}`,
      addDays && `${addDays} ${addDays === 1 ? "day" : "days"} added`,
      inviteByMail && "Users are invited by email",
      productLevel !== undefined && `Product level ${findLabel(productLevels, productLevel)}`,
      licenceCategory !== undefined && `Licence category ${findLabel(licenceCategories, licenceCategory)}`,
      purchaseOrderNumber && `PO number ${purchaseOrderNumber}`,
      expiringFrom && `Expiring from ${day(expiringFrom)}`,
      expiringTo && `Expiring until ${day(expiringTo)}`,
      onlyTrials && "Trial licences",
      users?.userIds && `${users.userIds.length} selected ${users.userIds.length === 1 ? "user" : "users"}`,
      users && !users.userIds && (users.search ? `Users matching “${users.search}”` : "Users matching a filter"),
    ].filter((term) => typeof term === "string");
  }
}
