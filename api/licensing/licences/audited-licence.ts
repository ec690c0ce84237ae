import { getAuditedValues } from "#schema/field.ts";
import { licenceFields } from "#schema/licence.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import type { Licence } from "./licence.entity.ts";

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
