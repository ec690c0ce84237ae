import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import type { Licence } from "./licence.entity.ts";

/** A licence as the audit log tells of it; without its code, which would let readers of the log use it. */
export function auditedLicence(licence: Licence): AuditedValues {
  return {
    productLevel: licence.productLevel,
    licenceType: licence.licenceType,
    licenceCategory: licence.licenceCategory,
    licenceActivationType: licence.licenceActivationType,
    numberOfUsers: licence.numberOfUsers,
    numberOfMachines: licence.numberOfMachines,
    limitFloatingLeasePeriodToHours: licence.limitFloatingLeasePeriodToHours,
    floatingHeartBeatIntervalMinutes: licence.floatingHeartBeatIntervalMinutes,
    projectTerm: licence.projectTerm,
    expiresAt: licence.expiresAt.toISOString(),
    purchaseOrderNumber: licence.purchaseOrderNumber,
    allowOnVms: licence.allowOnVms,
    revokedAt: licence.revokedAt?.toISOString() ?? null,
  };
}
