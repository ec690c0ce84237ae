import type { FilterQuery } from "@mikro-orm/core";
import { bulkKinds, type BulkKind } from "#schema/bulk.ts";
import type { BulkListValues } from "#schema/rules/bulk.ts";
import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { BulkRow } from "./bulk-row.entity.ts";
import { BulkRun } from "./bulk-run.entity.ts";

const contains = (search: string) => ({ $ilike: `%${search.replace(/[\\%_]/g, "\\$&")}%` });

/** Runs, newest first; `search` looks through file, admin and kind. */
export async function listRuns(
  context: Context,
  { search, offset, limit }: BulkListValues,
): Promise<{ rows: BulkRun[]; total: number }> {
  const words = search?.toLowerCase() ?? "";
  const kinds = (Object.keys(bulkKinds) as BulkKind[]).filter((kind) => bulkKinds[kind].toLowerCase().includes(words));
  const where: FilterQuery<BulkRun> = words
    ? { $or: [{ fileName: contains(words) }, { createdByName: contains(words) }, { kind: { $in: kinds } }] }
    : {};
  const [rows, total] = await context.em.fork().findAndCount(BulkRun, where, {
    orderBy: { createdAt: "desc", id: "desc" },
    offset,
    limit,
  });
  return { rows, total };
}

/**
 * One run.
 * @throws AppError NOT_FOUND
 */
export async function getRun(context: Context, id: string): Promise<BulkRun> {
  const run = isUuid(id) ? await context.em.fork().findOne(BulkRun, id) : null;
  if (!run) throw notFound();
  return run;
}

/** Rows of a run in their order; `onlyFaults` those that were or will be left out. */
export async function listRows(
  context: Context,
  runId: string,
  { search, onlyFaults, offset, limit }: BulkListValues,
): Promise<{ rows: BulkRow[]; total: number }> {
  const [rows, total] = await context.em.fork().findAndCount(
    BulkRow,
    {
      runId,
      ...(onlyFaults ? { state: { $in: ["faulty", "failed"] } } : {}),
      ...(search ? { label: contains(search) } : {}),
    },
    { orderBy: { rowNumber: "asc" }, offset, limit },
  );
  return { rows, total };
}
