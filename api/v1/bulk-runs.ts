import { bulkColumns, bulkLimits } from "#schema/bulk.ts";
import { bulkRunRules } from "#schema/rules/bulk.ts";
import { openFileRun } from "#api/staff/bulk/open-run.ts";
import { resultFile } from "#api/staff/bulk/result-file.ts";
import { id } from "#api/platform/json-shapes.ts";
import { exampleIds } from "./examples.ts";
import { defineRoute, FileAnswer } from "./frame.ts";
import { param } from "./param.ts";

const tag = "Bulk work";
const exampleFile = [
  bulkColumns["import-users"].map(({ label }) => label).join(","),
  bulkColumns["import-users"].map(({ example }) => example).join(","),
  "",
].join("\n");

/** The files of bulk work; everything else about it is GraphQL's. */
export const bulkRunRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/admin/bulk-runs",
    allow: "admin",
    tag,
    summary: "Takes a CSV file of at most 25 MB and 100,000 rows and checks it in the background; changes nothing yet",
    query: bulkRunRules,
    params: {
      kind: { description: "What is done with each row", example: "import-users" },
      fileName: { description: "What the file is called, for the list of runs", example: "users.csv" },
      expiryDate: {
        description:
          "For `extend-licences`: the new last day, in place of `addDays`. ISO 8601, YYYY-MM-DD or YYYY-MM-DD HH:mm:ss; UTC where no offset is named",
      },
      addDays: { description: "For `extend-licences`: days that each licence is given, in place of `expiryDate`" },
      inviteByMail: { description: "For `import-users`: mails each new user how to choose a password" },
    },
    upload: {
      types: ["text/csv", "text/plain", "text/tab-separated-values"],
      maxBytes: bulkLimits.bytes,
      examples: { "text/csv": exampleFile },
    },
    status: 202,
    errors: ["CONFLICT"],
    answer: id,
    example: exampleIds.other,
    handler: async ({ context, query, upload }) => (await openFileRun(context, query, upload)).id,
  }),
  defineRoute({
    method: "GET",
    url: "/v1/admin/bulk-runs/:id/result",
    params: { id: param.bulkRun },
    allow: "admin",
    tag,
    summary: "What came of each row, or would come of it, as CSV",
    fileType: "text/csv",
    handler: async ({ context, params }) => new FileAnswer(await resultFile(context, params.id ?? "")),
  }),
];
