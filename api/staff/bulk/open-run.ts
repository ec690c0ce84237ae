import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { bulkLimits, type BulkRunValues, type LicenceFilterValues } from "#schema/bulk-run.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { AppError, badInput, isDatabaseUnavailable } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { getActorName } from "#api/audit/change-log/record-change.ts";
import { type BulkOptions, BulkRun } from "./bulk-run.entity.ts";
import { BULK_UPLOADS_PREFIX } from "./process-bulk-run.ts";

/**
 * Stores an uploaded file and schedules its check, which changes nothing. Streams the content to storage, so that the
 * file is never entirely in memory.
 * @throws AppError BAD_USER_INPUT if the file is empty, PAYLOAD_TOO_LARGE if it exceeds 25 MB.
 */
export async function openFileRun(context: Context, values: BulkRunValues, content: Readable): Promise<BulkRun> {
  const id = randomUUID();
  const storageKey = `${BULK_UPLOADS_PREFIX}/${id}`;
  try {
    const { sizeBytes } = await context.files.put(storageKey, Readable.from(limitSize(content)));
    if (sizeBytes === 0) throw badInput({ body: ["The file is empty."] });
    return await addRun(context, values, { id, storageKey });
  } catch (error) {
    // Keep the file if the database is unreachable, because the run may have been committed. Orphans are removed later.
    if (!isDatabaseUnavailable(error)) await context.files.delete(storageKey);
    throw error;
  }
}

async function* limitSize(content: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bulkLimits.bytes) throw new AppError("PAYLOAD_TOO_LARGE");
    yield chunk;
  }
}

/** Creates a run for the licences that meet the conditions, and schedules its check, which changes nothing. */
export function openFilterRun(context: Context, values: LicenceFilterValues): Promise<BulkRun> {
  const { productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo, onlyTrials, users } = values;
  const conditions = {
    productLevel,
    licenceCategory,
    purchaseOrderNumber: purchaseOrderNumber || undefined,
    expiringFrom: expiringFrom?.toISOString(),
    expiringTo: expiringTo?.toISOString(),
    onlyTrials: onlyTrials || undefined,
  };
  return addRun(context, { ...values, inviteByMail: false }, { conditions, users });
}

async function addRun(
  context: Context,
  { kind, expiryDate, addDays, inviteByMail, fileName = "" }: BulkRunValues,
  source: Pick<BulkOptions, "conditions" | "users"> & { readonly id?: string; readonly storageKey?: string },
): Promise<BulkRun> {
  const { clock, jobs, origin } = context;
  const actor = requireActor(context);
  const { id = randomUUID(), storageKey = null, conditions, users } = source;
  const isExtension = kind === "extend-licences";
  // Undefined values are left out of the stored JSON.
  const options: BulkOptions = {
    expiresAt: isExtension ? expiryDate?.toISOString() : undefined,
    addDays: isExtension ? addDays : undefined,
    inviteByMail: (kind === "import-users" && inviteByMail) || undefined,
    conditions,
    users,
  };
  return inTransaction(context, async (em) => {
    const run = em.create(BulkRun, {
      id,
      kind,
      storageKey,
      options,
      fileName,
      createdAt: clock.now(),
      createdById: actor.userId,
      createdByName: await getActorName(em, actor.userId),
      ip: origin.ip,
      requestId: origin.requestId,
    });
    await em.flush();
    await jobs.add(em, "run-bulk", { runId: id });
    return run;
  });
}
