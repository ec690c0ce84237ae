import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import {
  savedViewChangeRules,
  type SavedViewChangeValues,
  savedViewRules,
  type SavedViewValues,
  viewedListRule,
  viewedLists,
} from "#schema/saved-view.ts";
import { object } from "yup";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { deleteSavedView, listSavedViews, saveView, updateSavedView } from "./saved-view-changes.ts";
import { SavedView } from "./saved-view.entity.ts";
import { enumType, DeletedObject } from "#api/platform/graphql/create-type.ts";

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

const listRules = object({ list: viewedListRule });

@Resolver(() => SavedView)
export class SavedViewResolver {
  @Allow("admin", { roles: "all", scope: "session" })
  @Query(() => [SavedView], { description: "The caller's saved views of a list, by name." })
  async savedViews(
    @Arg("list", enumType(viewedLists), { description: "The list." }) list: string,
    @Ctx() context: Context,
  ): Promise<SavedView[]> {
    return listSavedViews(context, check(listRules, { list }).list);
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
    await deleteSavedView(context, id);
    return { id: id };
  }
}
