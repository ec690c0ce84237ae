import { postGraphql } from "#web/platform/post-graphql.ts";
import type {
  AddressSearchFindsStreetsQuery,
  AddressSuggestionsQuery,
  AddressSuggestionsQueryVariables,
  SuggestedAddressQuery,
  SuggestedAddressQueryVariables,
} from "#web/generated/graphql.ts";
import type { AddressSource } from "./address-search.tsx";
import findsStreetsOperation from "./address-search-finds-streets.graphql?operation";
import suggestOperation from "./address-suggestions.graphql?operation";
import findOperation from "./suggested-address.graphql?operation";

/** Address suggestions from the API, for {@link AddressFields}. */
export const addressSource: AddressSource = {
  async suggest(text, country) {
    type Variables = AddressSuggestionsQueryVariables;
    const data = await postGraphql<AddressSuggestionsQuery, Variables>(suggestOperation, { text, country });
    return data.addressSuggestions;
  },
  async findsStreets() {
    const data = await postGraphql<AddressSearchFindsStreetsQuery>(findsStreetsOperation, {});
    return data.addressSearchFindsStreets;
  },
  async find(id) {
    const data = await postGraphql<SuggestedAddressQuery, SuggestedAddressQueryVariables>(findOperation, { id });
    return data.suggestedAddress;
  },
};
