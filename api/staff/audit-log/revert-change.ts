import { labelAuditedField } from "#schema/audit.ts";
import { contactFields, contactRules } from "#schema/contact.ts";
import { getAuditedValues } from "#schema/field.ts";
import { changeSeatsRules, updateLicenceRules } from "#schema/licence.ts";
import { MemberType, updateUserRules, userFields } from "#schema/user.ts";
import type { AuditAction } from "#api/audit/change-log/audit-actions.ts";
import { AuditEntry, type AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { toAuditedLicence, lockUserLicence } from "#api/licensing/licences/lock-licences.ts";
import { changeSeats, updateLicence } from "#api/licensing/licences/update-licence.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, getRow, inTransaction } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { requireSafeguards } from "#api/platform/graphql/harm.ts";
import { check } from "#api/platform/validate.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { updateContact } from "#api/staff/contacts/contact-changes.ts";
import { updateUser } from "#api/staff/users/update-user.ts";

/** What an entry says about the object it changed. */
interface Edited {
  readonly id: string;
  /** Values to write back. */
  readonly before: AuditedValues;
  readonly after: AuditedValues;
}

/** Writes the values back with the function of the edit, so that its rules, checks and audit entry apply. */
type Revert = (context: Context, em: EntityManager, edited: Edited) => Promise<unknown>;

/** The edits that can be reverted, by the action of their audit entry. */
const reverts: Partial<Record<AuditAction, Revert>> = {
  async "update-user"(context, em, { id, before, after }) {
    // Not locked: the edit locks admins before the user, and refuses an outdated revision.
    const user = await getRow(em, User, id, { disableIdentityMap: true });
    const machines = await em.find(BlockedMachine, { user: id }, { disableIdentityMap: true });
    const present = {
      ...getAuditedValues(userFields, user),
      staffRoles: user.staffRoles,
      blockedMachines: machines.map(({ machineName }) => machineName).toSorted((a, b) => a.localeCompare(b)),
    };
    rejectLaterChange(present, after);
    const { staffRoles: _, blockedMachines: __, ...fields }: AuditedValues = { ...present, ...before };
    const blocked = before.blockedMachines as readonly string[] | undefined;
    const isAdmin = fields.memberType === MemberType.Admin;
    const values = {
      ...fields,
      ...(isAdmin && before.staffRoles ? { staffRoles: before.staffRoles } : {}),
      ...(blocked ? { blockedMachines: blocked.map((machineName) => ({ machineName })) } : {}),
      revision: user.revision,
    };
    return updateUser(context, id, check(updateUserRules, values));
  },

  async "update-contact"(context, em, { id, before, after }) {
    const contact = await getRow(em, Contact, id, { disableIdentityMap: true });
    const present = getAuditedValues(contactFields, contact);
    rejectLaterChange(present, after);
    const values = check(contactRules, { ...present, ...before });
    return updateContact(context, contact.user.id, id, values, contact.revision);
  },

  async "update-licence"(context, em, { id, before, after }) {
    const { userId, present } = await lockLicence(em, id);
    rejectLaterChange(present, after);
    const { expiresAt, ...values } = { ...present, ...before };
    return updateLicence(context, userId, id, check(updateLicenceRules, { ...values, expiryDate: expiresAt }));
  },

  async "change-seats"(context, em, { id, before, after }) {
    const { userId, present } = await lockLicence(em, id);
    rejectLaterChange(present, after);
    return changeSeats(context, userId, id, check(changeSeatsRules, { ...present, ...before }));
  },
};

/** Locks a licence and returns its values and its owner, which a merge of accounts may have changed since the entry. */
async function lockLicence(em: EntityManager, id: string): Promise<{ userId: string; present: AuditedValues }> {
  const { user } = await getRow(em, Licence, id, { disableIdentityMap: true });
  return { userId: user.id, present: toAuditedLicence(await lockUserLicence(em, user.id, id)) };
}

/** Returns whether an entry is a change of fields that {@link revertChange} can write back. */
export function isRevertible({ action, before, after, userId }: AuditEntry): boolean {
  return action in reverts && before !== null && after !== null && userId !== null;
}

/**
 * Writes the values that a change of a user, contact or licence replaced back, as a new change with its own audit entry.
 * @returns the new entry
 * @throws AppError NOT_FOUND for an unknown entry or a deleted object; CONFLICT for another kind of change and if a field has
 * changed since; and what the edit throws, such as BAD_USER_INPUT for an old value that is no longer valid
 */
export async function revertChange(context: Context, entryId: string): Promise<AuditEntry> {
  const entry = await getRow(context.em.fork(), AuditEntry, entryId);
  const revert = reverts[entry.action as AuditAction];
  const { before, after, userId, subjectId } = entry;
  if (!revert || !before || !after || !userId)
    throw conflict("Only changes to the fields of a user, contact or licence can be reverted.");
  // As for the edit of a licence.
  if (entry.subjectType === "licence") requireSafeguards("money", context.actor);
  return inTransaction(context, async (em) => {
    await revert({ ...context, em }, em, { id: subjectId, before: omitRevision(before), after: omitRevision(after) });
    await em.flush();
    return em.findOneOrFail(
      AuditEntry,
      { subjectId, action: entry.action, requestId: context.origin.requestId, id: { $ne: entry.id } },
      { orderBy: { at: "desc", id: "desc" } },
    );
  });
}

const omitRevision = (values: AuditedValues): AuditedValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== "revision"));

/** @throws AppError CONFLICT if a value differs from the one that the change wrote */
function rejectLaterChange(present: AuditedValues, written: AuditedValues): void {
  const changed = Object.entries(written)
    .filter(([name, value]) => JSON.stringify(present[name] ?? null) !== JSON.stringify(value ?? null))
    .map(([name]) => labelAuditedField(name));
  if (changed.length === 0) return;
  throw conflict(`This change can't be reverted, because it was followed by another change of ${changed.join(", ")}.`);
}
