import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { licenceCategories } from "#schema/licence.ts";
import { formatCount } from "#schema/numbers.ts";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import {
  bulkListRules,
  type BulkListValues,
  licenceFilterRules,
  type LicenceFilterValues,
  bulkLimits,
  bulkRunRules,
} from "#schema/bulk-run.ts";
import { userSelectionRules } from "#schema/user-list.ts";
import { line } from "#schema/text.ts";
import { object } from "yup";
import { Allow, createPage, field, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { check } from "#api/platform/validate.ts";
import { BulkRow, BulkRun } from "./bulk-run.entity.ts";
import { formatFileDate } from "./validate-values.ts";
import { getRun, listRows, listRuns } from "./list-runs.ts";
import { openFilterRun, openFileRun } from "./open-run.ts";
import { cancelRun, startRun } from "./start-and-cancel.ts";
import { bulkColumns } from "#schema/bulk-columns.ts";
import { createResultFile } from "./result-file.ts";
import { FileResponse, id, routesOf } from "#api/platform/http/define-route.ts";
import { csvExamples, exampleIds, param } from "#api/platform/http/route-examples.ts";

const BulkListFilter = createInput("BulkListFilter", bulkListRules, {
  description: "Search of bulk runs, or of the rows of a bulk run.",
  fields: {
    search: "For runs, part of the file name, admin or kind. For rows, part of the label.",
    onlyFaults: "For rows, return only those that were skipped or failed.",
  },
});

const UserSelectionInput = createInput("UserSelectionInput", userSelectionRules, {
  description: "Users selected by ID, or by the filter of the user list. All given conditions must be met.",
  fields: {
    userIds: { type: ID, description: "IDs of at most 1,000 users." },
    search: "As in `UserFilter`.",
    userTypes: "As in `UserFilter`.",
    startDate: "As in `UserFilter`.",
    endDate: "As in `UserFilter`.",
  },
});

const BulkFilterRunInput = createInput("BulkFilterRunInput", licenceFilterRules, {
  description: "A bulk run over the licences that meet all given conditions.",
  fields: {
    kind: "`EXTEND_LICENCES` or `DEACTIVATE_LICENCES`.",
    expiryDate: {
      type: DayScalar,
      description: "When extending, the new expiry date. Its end is in UTC. Give this or `addDays`.",
    },
    addDays: "When extending, number of days to add to the expiry date, or to today if the licence has expired.",
    purchaseOrderNumber: "The complete purchase order number, as stored on the licence.",
    expiringFrom: { type: DayScalar, description: "First expiry date to include, in UTC." },
    expiringTo: { type: DayScalar, description: "Last expiry date to include, in UTC." },
    onlyTrials: "Only trial licences.",
    users: { input: UserSelectionInput, description: "Only the licences of these users." },
  },
});

export const BulkRunPage = createPage("BulkRunPage", "admin", "A page of bulk runs, newest first.", {
  rows: field.list(() => BulkRun, "The runs of the page.", { access: Scope("session") }),
});
export type BulkRunPage = InstanceType<typeof BulkRunPage>;

export const BulkRowPage = createPage("BulkRowPage", "admin", "A page of a run's rows, by row number.", {
  rows: field.list(() => BulkRow, "The rows of the page.", { access: Scope("session") }),
});
export type BulkRowPage = InstanceType<typeof BulkRowPage>;

const confirmationRules = object({ confirmation: line(100) });

@Resolver(() => BulkRun)
export class BulkResolver {
  @Allow("admin", { roles: ["support"], scope: "session" })
  @Query(() => BulkRunPage, { complexity: createPageCost(), description: "Lists bulk runs, newest first." })
  bulkRuns(
    @CheckedArg("filter", BulkListFilter, { defaultValue: {} }) filter: BulkListValues,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<BulkRunPage> {
    return listRuns(context, { ...filter, ...toRowRange(page) });
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @Query(() => BulkRun, { description: "Returns a bulk run by its ID." })
  bulkRun(@Arg("id", () => ID, { description: "The run." }) id: string, @Ctx() context: Context): Promise<BulkRun> {
    return getRun(context, id);
  }

  @Allow("admin", { roles: ["support"], scope: "session", harm: "mass" })
  @Mutation(() => BulkRun, {
    description:
      "Checks the licences that meet the conditions without changing them. Upload files to /v1/admin/bulk-runs.",
  })
  openBulkRun(
    @CheckedArg("input", BulkFilterRunInput) input: LicenceFilterValues,
    @Ctx() context: Context,
  ): Promise<BulkRun> {
    return openFilterRun(context, input);
  }

  @Allow("admin", { roles: ["support"], scope: "session", harm: "mass" })
  @Mutation(() => BulkRun, {
    description: "Starts processing the valid rows of a checked run. Has no effect if the run has already started.",
  })
  startBulkRun(
    @Arg("id", () => ID, { description: "The run." }) id: string,
    @Arg("confirmation", () => String, { nullable: true, description: "`DEACTIVATE` to confirm a deactivation." })
    confirmation: string | null,
    @Ctx() context: Context,
  ): Promise<BulkRun> {
    return startRun(context, id, check(confirmationRules, { confirmation }).confirmation ?? "");
  }

  @Allow("admin", { roles: ["support"], scope: "session", harm: "others" })
  @Mutation(() => BulkRun, {
    description: "Stops a run, or discards a run that hasn't started. Rows already processed are kept.",
  })
  cancelBulkRun(
    @Arg("id", () => ID, { description: "The run." }) id: string,
    @Ctx() context: Context,
  ): Promise<BulkRun> {
    return cancelRun(context, id);
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @FieldResolver(() => BulkRowPage, { complexity: createPageCost(), description: "The rows of the run." })
  rows(
    @Root() run: BulkRun,
    @CheckedArg("filter", BulkListFilter, { defaultValue: {} }) filter: BulkListValues,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<BulkRowPage> {
    return listRows(context, run.id, { ...filter, ...toRowRange(page) });
  }

  @Allow("admin", { roles: ["support"], scope: "session" })
  @FieldResolver(() => [String], { description: "The run's options and licence conditions as readable phrases." })
  terms(@Root() { options }: BulkRun): string[] {
    const { expiresAt, addDays, inviteByMail, conditions = {}, users } = options;
    const { productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo, onlyTrials } = conditions;
    const day = (iso: string) => formatFileDate(new Date(iso));
    return [
      expiresAt && `New expiry date ${day(expiresAt)}`,
      addDays && `${formatCount(addDays, "day")} added`,
      inviteByMail && "Users are invited by email",
      productLevel !== undefined && `Product level ${findLabel(productLevels, productLevel)}`,
      licenceCategory !== undefined && `Licence category ${findLabel(licenceCategories, licenceCategory)}`,
      purchaseOrderNumber && `PO number ${purchaseOrderNumber}`,
      expiringFrom && `Expiring from ${day(expiringFrom)}`,
      expiringTo && `Expiring until ${day(expiringTo)}`,
      onlyTrials && "Trial licences",
      users?.userIds && formatCount(users.userIds.length, "selected user"),
      users && !users.userIds && (users.search ? `Users matching “${users.search}”` : "Users matching a filter"),
    ].filter((term) => typeof term === "string");
  }
}

const defineRoute = routesOf("Bulk work");
const exampleFile = [
  bulkColumns["import-users"].map(({ label }) => label).join(","),
  bulkColumns["import-users"].map(({ example }) => example).join(","),
  "",
].join("\n");

/**
 * Calls for uploading and downloading the files of bulk runs. Everything else about bulk runs is available only in
 * GraphQL.
 */
export const bulkRunRoutes = [
  defineRoute("POST /v1/admin/bulk-runs", {
    allow: { audience: "admin", roles: ["support"], harm: "mass" },
    summary:
      "Upload a CSV file for bulk work. The file can have up to 25 MB and 100,000 rows. It is checked in the background, and nothing changes yet",
    query: bulkRunRules,
    params: {
      kind: { description: "The action for each row", example: "import-users" },
      fileName: { description: "File name to show in the list of runs", example: "users.csv" },
      expiryDate: {
        description:
          "For `extend-licences`: the new last day, instead of `addDays`. ISO 8601, YYYY-MM-DD or YYYY-MM-DD HH:mm:ss, in UTC unless an offset is given",
      },
      addDays: { description: "For `extend-licences`: number of days to add to each licence, instead of `expiryDate`" },
      inviteByMail: { description: "For `import-users`: whether to email each new user a link to choose a password" },
    },
    upload: {
      types: ["text/csv", "text/plain", "text/tab-separated-values"],
      maxBytes: bulkLimits.bytes,
      examples: { "text/csv": exampleFile },
    },
    status: 202,
    errors: ["CONFLICT"],
    response: id,
    example: exampleIds.other,
    handler: async ({ context, query, upload }) => (await openFileRun(context, query, upload)).id,
  }),
  defineRoute("GET /v1/admin/bulk-runs/:id/result", {
    params: { id: param.bulkRun },
    allow: { audience: "admin", roles: ["support"], harm: "mass" },
    summary:
      "Download the result of a run. Returns a CSV file with the outcome of each row, or the expected outcome before the run starts",
    fileTypes: ["text/csv"],
    fileExample: csvExamples.bulkResult,
    isExport: true,
    handler: async ({ context, params }) => new FileResponse(await createResultFile(context, params.id)),
  }),
];
