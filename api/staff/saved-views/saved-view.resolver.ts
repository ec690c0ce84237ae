import { Arg, Ctx, Field, ID, InputType, Mutation, Query, Resolver } from "type-graphql";
import {
  savedViewChangeRules,
  type SavedViewChangeValues,
  savedViewRules,
  type SavedViewValues,
  type ViewedList,
  viewedListRule,
  viewedLists,
} from "#schema/rules/saved-view.ts";
import { object } from "yup";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { deleteSavedView, listSavedViews, saveView, updateSavedView } from "./saved-view-changes.ts";
import { SavedView } from "./saved-view.entity.ts";

@InputType({ description: "Changes of a saved view." })
export class SavedViewChange implements SavedViewChangeValues {
  @Field(() => String, { description: "At most 80 characters. Must be unique among the admin's views of the list." })
  name!: string;

  @Field(() => String, { defaultValue: "", description: "Query string of the list's URL, at most 2,000 characters." })
  parameters: string = "";

  @Field(() => Boolean, {
    defaultValue: false,
    description: "Opens the list with this view, instead of the previous default view.",
  })
  isDefault: boolean = false;
}

@InputType({ description: "A new saved view." })
export class SavedViewInput extends SavedViewChange implements SavedViewValues {
  @Field(() => String, { description: `One of ${viewedLists.join(", ")}.` })
  list!: ViewedList;
}

const listRules = object({ list: viewedListRule });

@Resolver(() => SavedView)
export class SavedViewResolver {
  @Allow("admin", { roles: "all", scope: "session" })
  @Query(() => [SavedView], { description: "The caller's saved views of a list, by name." })
  async savedViews(
    @Arg("list", () => String, { description: `One of ${viewedLists.join(", ")}.` }) list: string,
    @Ctx() context: Context,
  ): Promise<SavedView[]> {
    return listSavedViews(context, check(listRules, { list }).list);
  }

  @Allow("admin", { roles: "all", scope: "session" })
  @Check({ input: savedViewRules })
  @Mutation(() => SavedView)
  async saveView(
    @Arg("input", () => SavedViewInput) input: SavedViewInput,
    @Ctx() context: Context,
  ): Promise<SavedView> {
    return saveView(context, input);
  }

  @Allow("admin", { roles: "all", scope: "session" })
  @Check({ input: savedViewChangeRules })
  @Mutation(() => SavedView)
  async updateSavedView(
    @Arg("id", () => ID) id: string,
    @Arg("input", () => SavedViewChange) input: SavedViewChange,
    @Ctx() context: Context,
  ): Promise<SavedView> {
    return updateSavedView(context, id, input);
  }

  @Allow("admin", { roles: "all", scope: "session" })
  @Mutation(() => Boolean)
  async deleteSavedView(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<boolean> {
    await deleteSavedView(context, id);
    return true;
  }
}
