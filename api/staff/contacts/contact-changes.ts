import { contactFields, type ContactValues } from "#schema/contact.ts";
import { getAuditedValues } from "#schema/field.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import { conflict, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { lockUserAgainstDeletion, User } from "#api/people/users/user.entity.ts";
import { listChangesSince, rejectStaleRevision, type StaffChange } from "#api/audit/change-log/changes-since.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { recordChange, type RecordedChange } from "#api/audit/change-log/record-change.ts";
import { Contact } from "./contact.entity.ts";

/**
 * Adds a contact to a user.
 * @throws AppError NOT_FOUND; CONFLICT if the user deleted their account.
 */
export async function addContact(context: Context, userId: string, values: ContactValues): Promise<Contact> {
  return inTransaction(context, async (em) => {
    const ownerId = await lockUserAgainstDeletion(em, userId);
    const contact = em.create(Contact, {
      ...values,
      user: em.getReference(User, ownerId),
      addedAt: context.clock.now(),
    });
    await recordContactChange(context, em, "add-contact", contact, { after: toAuditedValues(contact) });
    return contact;
  });
}

/**
 * Updates a user's contact. Locks the row, so that each of several concurrent changes is audited with the values it
 * replaced. Writes nothing if nothing changed.
 * @param baseRevision revision that the edit is based on
 * @throws AppError NOT_FOUND, also for a contact of another user; CONFLICT with reason STALE_REVISION if `baseRevision`
 * is outdated.
 */
export async function updateContact(
  context: Context,
  userId: string,
  id: string,
  values: ContactValues,
  baseRevision?: number,
): Promise<Contact> {
  return inTransaction(context, async (em) => {
    const contact = await lockContact(em, userId, id);
    await rejectStaleRevision(
      em,
      { action: "update-contact", noun: "contact", id: contact.id, revision: contact.revision },
      baseRevision,
    );
    const before = toAuditedValues(contact);
    Object.assign(contact, values);
    if (JSON.stringify(before) !== JSON.stringify(toAuditedValues(contact))) contact.revision += 1;
    await recordContactChange(context, em, "update-contact", contact, { before, after: toAuditedValues(contact) });
    return contact;
  });
}

/**
 * Deletes a user's contact.
 * @throws AppError NOT_FOUND, also for a contact of another user.
 */
export async function deleteContact(context: Context, userId: string, id: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const contact = await lockContact(em, userId, id);
    await recordContactChange(context, em, "delete-contact", contact, {
      // Everything that restoring needs.
      before: { ...toAuditedValues(contact), addedAt: contact.addedAt.toISOString() },
    });
    em.remove(contact);
  });
}

/** Time after a deletion in which it can be undone. Short, so that nobody restores a contact who has been erased since. */
const UNDO_MS = 10 * MINUTE;

/**
 * Undoes the deletion of a contact, with the values, id, revision and date it had. The audit entry of the deletion has them.
 * Takes a lock on the id, so that only one of several concurrent calls restores the contact. Idempotent.
 * @throws AppError NOT_FOUND if there was no such deletion; CONFLICT if it is more than ten minutes ago or the user deleted
 * their account.
 */
export async function restoreContact(context: Context, userId: string, id: string): Promise<Contact> {
  if (!isUuid(userId) || !isUuid(id)) throw notFound();
  return inTransaction(context, async (em) => {
    const ownerId = await lockUserAgainstDeletion(em, userId);
    // The contact has no row to lock, and rows of the audit log can't be locked (decision 0205).
    await query(em, "select pg_advisory_xact_lock(hashtextextended($1, 0))", [`restore ${id.toLowerCase()}`]);
    const deletion = await em.findOne(
      AuditEntry,
      { subjectId: id.toLowerCase(), userId, action: "delete-contact" },
      { orderBy: { at: "desc", id: "desc" } },
    );
    const present = await em.findOne(Contact, { id, user: userId });
    if (present) return present;
    if (!deletion?.before) throw notFound();
    if (deletion.at < addMilliseconds(context.clock.now(), -UNDO_MS))
      throw conflict("This contact was deleted too long ago to restore it. Add it again.");
    const { revision, addedAt, ...values } = deletion.before;
    const contact = em.create(Contact, {
      ...(values as unknown as Pick<Contact, keyof typeof contactFields>),
      id: deletion.subjectId,
      user: em.getReference(User, ownerId),
      revision: Number(revision),
      addedAt: new Date(String(addedAt)),
    });
    await recordContactChange(context, em, "restore-contact", contact, { after: toAuditedValues(contact) });
    return contact;
  });
}

/**
 * Returns changes by staff to a user's contact after a revision, oldest first.
 * @throws AppError NOT_FOUND, also for a contact of another user.
 */
export async function listContactChanges(
  { em }: Context,
  userId: string,
  id: string,
  since: number,
): Promise<StaffChange[]> {
  const contact = isUuid(userId) && isUuid(id) && (await em.fork().findOne(Contact, { id, user: userId }));
  if (!contact) throw notFound();
  return listChangesSince(em, { action: "update-contact", id: contact.id }, since);
}

async function lockContact(em: EntityManager, userId: string, id: string): Promise<Contact> {
  if (!isUuid(userId)) throw notFound();
  return lockRow(em, Contact, { id, user: userId });
}

function toAuditedValues(contact: Contact) {
  return { ...getAuditedValues(contactFields, contact), revision: contact.revision };
}

function recordContactChange(
  context: Context,
  em: EntityManager,
  action: RecordedChange["action"],
  contact: Contact,
  values: Pick<RecordedChange, "before" | "after">,
): Promise<void> {
  const name = `${contact.firstName} ${contact.lastName}`;
  const { id, user } = contact;
  return recordChange(context, em, { action, subject: { type: "contact", id, name }, userId: user.id, ...values });
}
