import { postGraphql } from "#web/platform/post-graphql.ts";
import type { AddressSource } from "./address-search.tsx";
import findsStreetsOperation from "operation:AddressSearchFindsStreets";
import suggestOperation from "operation:AddressSuggestions";
import findOperation from "operation:SuggestedAddress";

/** Address suggestions from the API, for {@link AddressFields}. */
export const addressSource: AddressSource = {
  async suggest(text, country) {
    const data = await postGraphql(suggestOperation, { text, country });
    return data.addressSuggestions;
  },
  async findsStreets() {
    const data = await postGraphql(findsStreetsOperation, {});
    return data.addressSearchFindsStreets;
  },
  async find(id) {
    const data = await postGraphql(findOperation, { id });
    return data.suggestedAddress;
  },
};
