import { LockMode } from "@mikro-orm/core";
import { labelOf, softwareStages } from "#schema/catalogue.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { unprocessable } from "./publish-build.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import { SoftwareFile } from "./software-file.entity.ts";

/**
 * Deletes a build that was never published. Its files go after the commit; what can't be removed then is a stray, which
 * goes later (`forgetStrayFiles`).
 * @throws AppError NOT_FOUND, UNPROCESSABLE for a published one: its history stays.
 */
export async function deleteDraft(context: Context, buildId: string): Promise<void> {
  if (!isUuid(buildId)) throw notFound();
  const keys = await inTransaction(context, async (em) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const build = await em.findOneOrFail(SoftwareBuild, { id: buildId }, { lockMode, failHandler: notFound });
    if (build.publishedAt)
      throw unprocessable("This build was published, so it stays in the list. Withdraw it instead.");
    const files = await em.find(SoftwareFile, { build: buildId });
    const { id, stage, version, fileName, sha256 } = build;
    await noteChange(context, em, {
      action: "delete-software-draft",
      subject: { type: "software", id, name: `${labelOf(softwareStages, stage)} ${version}` },
      userId: null,
      before: { version, fileName, sha256 },
      after: null,
    });
    await em.nativeDelete(SoftwareBuild, { id });
    return [build.storageKey, ...files.map(({ storageKey }) => storageKey)];
  });
  for (const key of keys)
    await context.files.delete(key).catch((error: unknown) => {
      context.log.warn({ err: error, key }, "a file of a deleted build stays until it is removed as a stray");
    });
}
