import { bulkLimits } from "#schema/bulk.ts";
import { bulkRunRules } from "#schema/rules/bulk.ts";
import { openFileRun } from "#api/features/bulk/open-run.ts";
import { resultFile } from "#api/features/bulk/result-file.ts";
import { id } from "#api/platform/json-shapes.ts";
import { exampleIds } from "./examples.ts";
import { defineRoute, FileAnswer } from "./frame.ts";

const tag = "Bulk work";

/** The files of bulk work; everything else about it is GraphQL's. */
export const bulkRunRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/admin/bulk-runs",
    allow: "admin",
    tag,
    summary: "Takes a CSV file of at most 25 MB and 100,000 rows and checks it in the background; changes nothing yet",
    query: bulkRunRules,
    upload: { types: ["text/csv", "text/plain", "text/tab-separated-values"], maxBytes: bulkLimits.bytes },
    status: 202,
    errors: ["CONFLICT"],
    answer: id,
    example: exampleIds.other,
    handler: async ({ context, query, upload }) => (await openFileRun(context, query, upload)).id,
  }),
  defineRoute({
    method: "GET",
    url: "/v1/admin/bulk-runs/:id/result",
    allow: "admin",
    tag,
    summary: "What came of each row, or would come of it, as CSV",
    fileType: "text/csv",
    handler: async ({ context, params }) => new FileAnswer(await resultFile(context, params.id ?? "")),
  }),
];
