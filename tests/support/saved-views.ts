import type { MockLink } from "@apollo/client/testing";
import { SavedViewsDocument } from "#web/generated/graphql.ts";
import { mockQuery } from "./mock-query.tsx";

/** Mocks the saved views of the user, for the lists that open with one. */
export const savedViews = (views: readonly object[] = []): MockLink.MockedResponse =>
  mockQuery(SavedViewsDocument, () => true, 20).returns({ savedViews: views });
