import { createRowLoader } from "#api/platform/graphql/loaders.ts";
import { Licence } from "./licence.entity.ts";

/** Loads a licence by its ID, or null if there is none. The caller must check access to it. */
export const loadLicence = createRowLoader(Licence);
