import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { recordLicenceWebhooks } from "./licence-webhook-data.ts";
import type { Licence } from "./licence.entity.ts";
import { getAuditedValues } from "#schema/field.ts";
import { licenceFields } from "#schema/licence.ts";

/**
 * Writes an audit entry and a webhook event for a change that staff made to a licence. Runs in the transaction of `em`.
 * @param before values before the change, from `toAuditedLicence`
 * @param details what else the audit entry says
 */
export async function recordLicenceChange(
  context: Context,
  em: EntityManager,
  action: "update-licence" | "change-seats" | "add-seats" | "extend-trial" | "deactivate-licence" | "reinstate-licence",
  licence: Licence,
  before: AuditedValues,
  details: AuditedValues = {},
): Promise<void> {
  const after = { ...toAuditedLicence(licence), ...details };
  await recordChange(context, em, {
    action,
    subject: { type: "licence", id: licence.id, name: licence.supportCode },
    userId: licence.user.id,
    before,
    after,
  });
  const isChanged = action !== "deactivate-licence" && action !== "reinstate-licence";
  if (isChanged && JSON.stringify(before) !== JSON.stringify(after))
    await recordLicenceWebhooks(context, em, "licence.changed", [licence]);
}

/**
 * Returns the audited values of a licence. Excludes the licence code, which readers of the audit log could otherwise
 * use.
 */
export function toAuditedLicence(licence: Licence): AuditedValues {
  return {
    ...getAuditedValues(licenceFields, licence),
    ...(licence.usageLimit === null ? {} : { usageLimit: licence.usageLimit }),
    revokedAt: licence.revokedAt?.toISOString() ?? null,
  };
}
