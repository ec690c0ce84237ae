import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { bulkLimits, type BulkRunValues, type LicenceFilterValues } from "#schema/bulk-run.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
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
    return await addRun(context, { id, storageKey, values });
  } catch (error) {
    await context.files.delete(storageKey);
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
    ...(productLevel === undefined ? {} : { productLevel }),
    ...(licenceCategory === undefined ? {} : { licenceCategory }),
    ...(purchaseOrderNumber ? { purchaseOrderNumber } : {}),
    ...(expiringFrom ? { expiringFrom: expiringFrom.toISOString() } : {}),
    ...(expiringTo ? { expiringTo: expiringTo.toISOString() } : {}),
    ...(onlyTrials ? { onlyTrials } : {}),
  };
  return addRun(context, {
    id: randomUUID(),
    storageKey: null,
    values: { ...values, inviteByMail: false },
    conditions,
    ...(users ? { users } : {}),
  });
}

async function addRun(
  context: Context,
  given: {
    id: string;
    storageKey: string | null;
    values: BulkRunValues;
    conditions?: NonNullable<BulkOptions["conditions"]>;
    users?: NonNullable<BulkOptions["users"]>;
  },
): Promise<BulkRun> {
  const { clock, jobs, origin } = context;
  const actor = requireActor(context);
  const { id, storageKey, values, conditions, users } = given;
  const { kind, expiryDate, addDays, inviteByMail, fileName = "" } = values;
  const options: BulkOptions = {
    ...(kind === "extend-licences" && expiryDate ? { expiresAt: expiryDate.toISOString() } : {}),
    ...(kind === "extend-licences" && addDays ? { addDays } : {}),
    ...(kind === "import-users" && inviteByMail ? { inviteByMail } : {}),
    ...(conditions ? { conditions } : {}),
    ...(users ? { users } : {}),
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
