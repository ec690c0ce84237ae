import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import {
  savedViewChangeRules,
  type SavedViewChangeValues,
  savedViewRules,
  type SavedViewValues,
  type ViewedList,
  viewedLists,
} from "#schema/saved-view.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { SavedView } from "./saved-view.entity.ts";
import { Allow, DeletedObject, enumType, toDeletedObject } from "#api/platform/graphql/declare.ts";
import { type EntityManager, getRow, inUniqueTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { recordChange, type RecordedChange } from "#api/audit/change-log/record-change.ts";
import { User } from "#api/people/users/user.entity.ts";

const viewFields = {
  name: "At most 80 characters. Must be unique among the admin's views of the list.",
  parameters: "Query string of the list's URL, at most 2,000 characters.",
  isDefault: "Opens the list with this view, instead of the previous default view.",
};

const SavedViewChange = createInput("SavedViewChange", savedViewChangeRules, {
  description: "Changes of a saved view.",
  fields: viewFields,
});

const SavedViewInput = createInput("SavedViewInput", savedViewRules, {
  description: "A new saved view.",
  fields: { ...viewFields, list: "The list." },
});

@Resolver(() => SavedView)
export class SavedViewResolver {
  @Allow("admin", { roles: "all", scope: "session" })
  @Query(() => [SavedView], { description: "The caller's saved views of a list, by name." })
  async savedViews(
    @Arg("list", enumType(viewedLists), { description: "The list." }) list: ViewedList,
    @Ctx() context: Context,
  ): Promise<SavedView[]> {
    const owner = getCallerId(context);
    return context.em.fork().find(SavedView, { owner, list }, { orderBy: { name: "asc", id: "asc" } });
  }

  @Allow("admin", { roles: "all", scope: "session", harm: "own" })
  @Mutation(() => SavedView, { description: "Saves the search, filter, order and columns of a list under a name." })
  async saveView(
    @CheckedArg("input", SavedViewInput) input: SavedViewValues,
    @Ctx() context: Context,
  ): Promise<SavedView> {
    return saveView(context, input);
  }

  @Allow("admin", { roles: "all", scope: "session", harm: "own" })
  @Mutation(() => SavedView, { description: "Changes a saved view." })
  async updateSavedView(
    @Arg("id", () => ID, { description: "The saved view." }) id: string,
    @CheckedArg("input", SavedViewChange) input: SavedViewChangeValues,
    @Ctx() context: Context,
  ): Promise<SavedView> {
    return updateSavedView(context, id, input);
  }

  @Allow("admin", { roles: "all", scope: "session", harm: "own" })
  @Mutation(() => DeletedObject, { description: "Deletes a saved view." })
  async deleteSavedView(
    @Arg("id", () => ID, { description: "The saved view." }) id: string,
    @Ctx() context: Context,
  ): Promise<DeletedObject> {
    await changeViews(context, async (em, owner) => {
      const view = await getRow(em, SavedView, { id, owner });
      await recordViewChange(context, em, "delete-saved-view", view, { before: toAuditValues(view) });
      em.remove(view);
    });
    return toDeletedObject(id);
  }
}

/** Maximum number of saved views per admin, for all lists together. */
const MAX_SAVED_VIEWS = 100;

/**
 * Saves a view of a list for the caller. A new default view replaces the previous one.
 * @throws AppError CONFLICT if the caller has another view of the list with this name, with an error on the field `name`,
 * or already has {@link MAX_SAVED_VIEWS}.
 */
function saveView(context: Context, values: SavedViewValues): Promise<SavedView> {
  return changeViews(context, async (em, owner) => {
    if ((await em.count(SavedView, { owner })) >= MAX_SAVED_VIEWS)
      throw conflict(`You have reached the limit of ${MAX_SAVED_VIEWS} saved views. Delete one first.`);
    if (values.isDefault) await clearDefault(em, owner, values.list);
    const view = em.create(SavedView, { ...values, owner, createdAt: context.clock.now() });
    await recordViewChange(context, em, "save-view", view, { after: toAuditValues(view) });
    return view;
  });
}

/**
 * Updates a saved view of the caller.
 * @throws AppError NOT_FOUND, also if the view belongs to another admin, or CONFLICT as {@link saveView} does.
 */
function updateSavedView(context: Context, id: string, values: SavedViewChangeValues): Promise<SavedView> {
  return changeViews(context, async (em, owner) => {
    const view = await getRow(em, SavedView, { id, owner });
    const before = toAuditValues(view);
    if (values.isDefault && !view.isDefault) await clearDefault(em, owner, view.list);
    em.assign(view, values);
    await recordViewChange(context, em, "update-saved-view", view, { before, after: toAuditValues(view) });
    return view;
  });
}

/**
 * Executes work in a transaction that locks the caller's row, so that concurrent requests can't exceed the limit or leave
 * two default views. Converts a violation of the unique name index to an error for the user.
 */
function changeViews<Result>(
  context: Context,
  work: (em: EntityManager, owner: User) => Promise<Result>,
): Promise<Result> {
  const nameTaken = () => conflict("You already have a saved view with this name.", "name");
  return inUniqueTransaction(context, nameTaken, async (em) => work(em, await lockRow(em, User, getCallerId(context))));
}

async function clearDefault(em: EntityManager, owner: User, list: ViewedList): Promise<void> {
  await query(em, "update saved_views set is_default = false where owner_id = $1 and list = $2 and is_default", [
    owner.id,
    list,
  ]);
}

function recordViewChange(
  context: Context,
  em: EntityManager,
  action: RecordedChange["action"],
  { id, name }: SavedView,
  values: Pick<RecordedChange, "before" | "after">,
): Promise<void> {
  return recordChange(context, em, { action, subject: { type: "saved-view", id, name }, userId: null, ...values });
}

// The parameters can contain a search for a user's name, so the audit log doesn't keep them.
const toAuditValues = ({ list, name, isDefault }: SavedView) => ({ list, name, isDefault });
