import { bulkColumns } from "#schema/bulk-columns.ts";
import { bulkLimits, bulkRunRules } from "#schema/bulk-run.ts";
import { openFileRun } from "#api/staff/bulk/open-run.ts";
import { createResultFile } from "#api/staff/bulk/result-file.ts";
import { id } from "#api/platform/http/json-types.ts";
import { csvExamples } from "./file-examples.ts";
import { exampleIds } from "./examples.ts";
import { defineRoute, FileResponse } from "./define-route.ts";
import { param } from "./param.ts";

const tag = "Bulk work";
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
  defineRoute({
    method: "POST",
    url: "/v1/admin/bulk-runs",
    allow: { audience: "admin", roles: ["support"], harm: "mass" },
    tag,
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
  defineRoute({
    method: "GET",
    url: "/v1/admin/bulk-runs/:id/result",
    params: { id: param.bulkRun },
    allow: { audience: "admin", roles: ["support"], harm: "mass" },
    tag,
    summary:
      "Download the result of a run. Returns a CSV file with the outcome of each row, or the expected outcome before the run starts",
    fileTypes: ["text/csv"],
    fileExample: csvExamples.bulkResult,
    handler: async ({ context, params }) => new FileResponse(await createResultFile(context, params.id ?? "")),
  }),
];
