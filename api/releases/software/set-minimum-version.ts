import { labelOf, SoftwareStage, softwareStages } from "#schema/catalogue.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { lockChannels } from "./lock-channel.ts";
import { compareVersions, readVersion, versionText } from "./version.ts";

/**
 * Says which version is the oldest that may still run, whatever stage it came from: the add-in's question names none, so
 * that of Production binds all, and no other stage has one. Null lets all run.
 * @throws AppError BAD_USER_INPUT for another stage, and for a version above what any stage offers: nobody there could run.
 */
export async function setMinimumVersion(context: Context, stage: number, version: string | null): Promise<void> {
  if (stage !== SoftwareStage.Production && version !== null)
    throw badInput({
      stage: ["The oldest version that may run is set in Production, for the add-ins of every stage."],
    });
  const parts = version === null ? null : readVersion(version);
  await inTransaction(context, async (em) => {
    const channels = await lockChannels(em);
    const channel = channels.find((one) => one.stage === stage);
    if (parts && !channel?.latestVersion)
      throw badInput({ version: ["Nothing is published in this stage yet, so nobody could run."] });
    if (parts && channel?.latestVersion && compareVersions(parts, channel.latestVersion) > 0) {
      const latest = versionText(channel.latestVersion);
      throw badInput({
        version: [`Version must not be above ${latest}, the latest of this stage: nobody could run.`],
      });
    }
    for (const { stage: other, latestVersion } of channels)
      if (parts && latestVersion && compareVersions(parts, latestVersion) > 0) {
        const [latest, label] = [versionText(latestVersion), labelOf(softwareStages, other)];
        throw badInput({
          version: [
            `Version must not be above ${latest}, which ${label} offers: nobody there could run. Publish a newer build there, or withdraw that one, first.`,
          ],
        });
      }
    if (!channel) return;
    const noted = () => ({ minimumVersion: channel.minimumVersion ? versionText(channel.minimumVersion) : null });
    const before = noted();
    channel.minimumVersion = parts;
    const subject = { type: "software", id: String(stage), name: labelOf(softwareStages, stage) } as const;
    await noteChange(context, em, { action: "set-minimum-version", subject, userId: null, before, after: noted() });
  });
}
