import { SavedView } from "./saved-view.entity.ts";
import { createDeletePart, type PersonalData } from "#api/platform/database/personal-data.ts";

export const savedViewData: PersonalData = {
  tables: {
    saved_views: {
      deleted: "saved-views",
      alsoKept: "Views of other admins may search for the user until the admin changes them.",
    },
  },
  erasure: [createDeletePart("saved-views", "Saved views", "saved_views", { owner: "owner_id" })],
  exported: {
    // A customer who used to be an admin may have saved views.
    async savedViews({ em }, user) {
      const views = await em.find(SavedView, { owner: user.id }, { orderBy: { createdAt: "desc" } });
      return views.map(({ list, name, parameters, isDefault, createdAt }) => ({
        list,
        name,
        parameters,
        isDefault,
        savedAt: createdAt,
      }));
    },
  },
};
