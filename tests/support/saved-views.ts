import type { MockLink } from "@apollo/client/testing";
import { SavedViewsDocument } from "#web/generated/graphql.ts";

/** Mocks the saved views of the user, for the lists that open with one. */
export function savedViews(views: readonly object[] = []): MockLink.MockedResponse {
  return {
    request: { query: SavedViewsDocument, variables: () => true },
    result: { data: { savedViews: views.map((view) => ({ __typename: "SavedView", ...view })) } },
    maxUsageCount: 20,
  };
}
