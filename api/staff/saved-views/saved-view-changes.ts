import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import type { SavedViewChangeValues, SavedViewValues, ViewedList } from "#schema/saved-view.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { User } from "#api/people/users/user.entity.ts";
import { SavedView } from "./saved-view.entity.ts";

/** Maximum number of saved views per admin, for all lists together. */
export const MAX_SAVED_VIEWS = 100;

/** Lists the caller's saved views of a list by name. */
export function listSavedViews(context: Context, list: ViewedList): Promise<SavedView[]> {
  const owner = getCallerId(context);
  return context.em.fork().find(SavedView, { owner, list }, { orderBy: { name: "asc", id: "asc" } });
}

/**
 * Saves a view of a list for the caller. A new default view replaces the previous one.
 * @throws AppError CONFLICT if the caller has another view of the list with this name, with an error on the field `name`,
 * or already has {@link MAX_SAVED_VIEWS}.
 */
export function saveView(context: Context, values: SavedViewValues): Promise<SavedView> {
  return changeViews(context, async (em, owner) => {
    if ((await em.count(SavedView, { owner })) >= MAX_SAVED_VIEWS)
      throw new AppError("CONFLICT", {
        message: `You have reached the limit of ${MAX_SAVED_VIEWS} saved views. Delete one first.`,
      });
    if (values.isDefault) await clearDefault(em, owner, values.list);
    const view = em.create(SavedView, { ...values, owner, createdAt: context.clock.now() });
    await recordChange(context, em, {
      action: "save-view",
      subject: toAuditSubject(view),
      userId: null,
      after: toAuditValues(view),
    });
    return view;
  });
}

/**
 * Updates a saved view of the caller.
 * @throws AppError NOT_FOUND, also if the view belongs to another admin, or CONFLICT as {@link saveView} does.
 */
export function updateSavedView(context: Context, id: string, values: SavedViewChangeValues): Promise<SavedView> {
  return changeViews(context, async (em, owner) => {
    const view = await findOwnView(em, owner, id);
    const before = toAuditValues(view);
    if (values.isDefault && !view.isDefault) await clearDefault(em, owner, view.list);
    em.assign(view, values);
    await recordChange(context, em, {
      action: "update-saved-view",
      subject: toAuditSubject(view),
      userId: null,
      before,
      after: toAuditValues(view),
    });
    return view;
  });
}

/**
 * Deletes a saved view of the caller.
 * @throws AppError NOT_FOUND, also if the view belongs to another admin.
 */
export async function deleteSavedView(context: Context, id: string): Promise<void> {
  await changeViews(context, async (em, owner) => {
    const view = await findOwnView(em, owner, id);
    await recordChange(context, em, {
      action: "delete-saved-view",
      subject: toAuditSubject(view),
      userId: null,
      before: toAuditValues(view),
    });
    em.remove(view);
    return view;
  });
}

/**
 * Executes work in a transaction that locks the caller's row, so that concurrent requests can't exceed the limit or leave
 * two default views. Converts a violation of the unique name index to an error for the user.
 */
async function changeViews(
  context: Context,
  work: (em: EntityManager, owner: User) => Promise<SavedView>,
): Promise<SavedView> {
  try {
    return await inTransaction(context, async (em) => {
      const owner = await em.findOneOrFail(User, getCallerId(context), { lockMode: LockMode.PESSIMISTIC_WRITE });
      return work(em, owner);
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    const message = "You already have a saved view with this name.";
    throw new AppError("CONFLICT", { message, fields: { name: [message] } });
  }
}

async function findOwnView(em: EntityManager, owner: User, id: string): Promise<SavedView> {
  const view = isUuid(id) ? await em.findOne(SavedView, { id, owner }) : null;
  if (!view) throw notFound();
  return view;
}

async function clearDefault(em: EntityManager, owner: User, list: ViewedList): Promise<void> {
  await query(em, "update saved_views set is_default = false where owner_id = $1 and list = $2 and is_default", [
    owner.id,
    list,
  ]);
}

const toAuditSubject = ({ id, name }: SavedView) => ({ type: "saved-view" as const, id, name });

// The parameters can contain a search for a user's name, so the audit log doesn't keep them.
const toAuditValues = ({ list, name, isDefault }: SavedView) => ({ list, name, isDefault });
