import { type EntityManager, lockRow, query } from "#api/platform/database/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { Licence } from "./licence.entity.ts";
import type { Context } from "#api/platform/context.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { recordLicenceWebhooks } from "./licence-webhook-data.ts";
import { recordLicenceEvent } from "./record-licence-event.ts";
import { getAuditedValues } from "#schema/field.ts";
import { licenceFields } from "#schema/licence.ts";

/**
 * Locks the licences of a user in the order of their ids; requires a transaction. Code that also locks the user must
 * call this first, as all code that deactivates devices does (decision 0029).
 */
export async function lockUserLicences(em: EntityManager, userId: string): Promise<void> {
  await query(em, "select id from licences where user_id = $1 order by id for update", [userId]);
}

/**
 * Locks the licence with a code, if there is one; requires a transaction. This is a statement of its own, so that the
 * statements after it see everything committed before the lock, such as a new owner.
 */
export async function lockLicenceByCode(em: EntityManager, licenceCode: string): Promise<void> {
  await query(em, "select from licences where licence_code = $1 for update", [licenceCode]);
}

/**
 * Locks a licence of a user and loads it with its owner; requires a transaction.
 * @throws AppError NOT_FOUND for an unknown licence, a malformed id and a licence of another user.
 */
export async function lockUserLicence(em: EntityManager, userId: string, licenceId: string): Promise<Licence> {
  if (!isUuid(userId)) throw notFound();
  const licence = await lockRow(em, Licence, { id: licenceId, user: userId }, { refresh: true });
  await em.populate(licence, ["user"]);
  return licence;
}

/** Returns the subject of a change of a licence. */
export function aboutLicence({ id, supportCode, user }: Licence) {
  return { subject: { type: "licence", id, name: supportCode }, userId: user.id } as const;
}

/** Saves a new licence, and writes its audit entry and webhook event, in the transaction of `em`. */
export async function recordNewLicence(context: Context, em: EntityManager, licence: Licence): Promise<void> {
  const after = toAuditedLicence(licence);
  await recordChange(context, em, { action: "add-licence", ...aboutLicence(licence), after });
  await em.flush();
  await recordLicenceWebhooks(context, em, "licence.issued", [licence]);
}

/** Values whose change the history of a licence calls a change of the licence. */
const useValues = ["productLevel", "usageLimit", "numberOfUsers", "numberOfMachines", "allowOnVms"] as const;

/**
 * Writes an audit entry and a webhook event for a change that staff made to a licence, and a licence event if its level, seats,
 * devices or use changed. A new expiry date has licence events of its own. Runs in the transaction of `em`.
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
  await recordChange(context, em, { action, ...aboutLicence(licence), before, after });
  if (useValues.some((name) => before[name] !== after[name]))
    recordLicenceEvent(context, em, { kind: "change", licenceId: licence.id });
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
