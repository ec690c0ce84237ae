import { Arg, Ctx, ID, Query, Resolver } from "type-graphql";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, Scope } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { findSuggestedAddress, canFindStreets, suggestAddresses } from "./suggest-addresses.ts";

export const SuggestedAddress = createType(
  "SuggestedAddress",
  "everyone",
  "The parts of a suggested address. Unknown parts are empty.",
  {
    unitNumber: field.text("Unit, flat or suite number."),
    streetNumber: field.text("Street number."),
    streetName: field.text("Street name."),
    city: field.text("City or suburb."),
    state: field.text("The state. A code such as QLD in Australia and the United States."),
    postCode: field.text("Post code."),
    country: field.text("The country's English name."),
  },
);
export type SuggestedAddress = InstanceType<typeof SuggestedAddress>;

export const AddressSuggestion = createType(
  "AddressSuggestion",
  "everyone",
  "An address that matches the text typed so far.",
  {
    id: field.id("ID to pass to `suggestedAddress`."),
    label: field.text("The address as text."),
    parts: field.object(
      () => SuggestedAddress,
      "The parts of the address. If null, query `suggestedAddress` once the user chooses it.",
      { nullable: true, access: Scope("open") },
    ),
  },
);
export type AddressSuggestion = InstanceType<typeof AddressSuggestion>;

@Resolver()
export class AddressResolver {
  @Allow("everyone", { scope: "open" })
  @Query(() => [AddressSuggestion], {
    description: "Returns up to 8 suggestions, best first. Returns none for fewer than 2 characters.",
  })
  async addressSuggestions(
    @Arg("text", () => String, { description: "The text typed so far." }) text: string,
    @Arg("country", () => String, { description: "The country's English name." }) country: string,
    @Ctx() context: Context,
  ): Promise<AddressSuggestion[]> {
    return [...(await suggestAddresses(context, { text, country }))];
  }

  @Allow("everyone", { scope: "open" })
  @Query(() => Boolean, {
    description:
      "Returns whether `addressSuggestions` finds streets. If not, it suggests the suburb and post code and keeps the street as typed.",
  })
  addressSearchFindsStreets(@Ctx() context: Context): boolean {
    return canFindStreets(context);
  }

  @Allow("everyone", { scope: "open" })
  @Query(() => SuggestedAddress, { nullable: true, description: "Returns the parts of a suggestion by its id." })
  async suggestedAddress(
    @Arg("id", () => ID, { description: "The ID of a suggestion." }) id: string,
    @Ctx() context: Context,
  ): Promise<SuggestedAddress | null> {
    return findSuggestedAddress(context, id);
  }
}
