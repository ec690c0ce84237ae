import { SoftwareStage, softwareStages } from "#schema/software.ts";
import { findLabel } from "#schema/closed-list.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { lockChannels } from "./offer-build.ts";
import { compareVersions, parseVersion, formatVersion } from "./version.ts";

/**
 * Sets the oldest version of the add-in that may run; null allows all. Only Production has a minimum, which applies to
 * every stage, because licence checks don't include the stage.
 * @throws AppError BAD_USER_INPUT for a stage other than Production, or if a stage offers an older version.
 */
export async function setMinimumVersion(context: Context, stage: number, version: string | null): Promise<void> {
  if (stage !== SoftwareStage.Production && version !== null)
    throw badInput({ stage: ["Set the minimum version in Production. It applies to every stage."] });
  const parts = version === null ? null : parseVersion(version);
  await inTransaction(context, async (em) => {
    const channels = await lockChannels(em);
    const channel = channels.find((one) => one.stage === stage);
    if (parts && !channel?.latestVersion) throw badInput({ version: ["Publish a build in this stage first."] });
    if (parts && channel?.latestVersion && compareVersions(parts, channel.latestVersion) > 0) {
      const latest = formatVersion(channel.latestVersion);
      throw badInput({ version: [`Version must not be above ${latest}, the latest version of this stage.`] });
    }
    for (const { stage: other, latestVersion } of channels)
      if (parts && latestVersion && compareVersions(parts, latestVersion) > 0) {
        const [latest, label] = [formatVersion(latestVersion), findLabel(softwareStages, other)];
        throw badInput({
          version: [
            `Version must not be above ${latest}, which ${label} offers. Publish a newer build in ${label} or withdraw that one first.`,
          ],
        });
      }
    if (!channel) return;
    const getAuditedValues = () => ({
      minimumVersion: channel.minimumVersion ? formatVersion(channel.minimumVersion) : null,
    });
    const before = getAuditedValues();
    channel.minimumVersion = parts;
    const subject = { type: "software", id: String(stage), name: findLabel(softwareStages, stage) } as const;
    await recordChange(context, em, {
      action: "set-minimum-version",
      subject,
      userId: null,
      before,
      after: getAuditedValues(),
    });
  });
}
