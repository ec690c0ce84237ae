import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver } from "type-graphql";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import type { AddressParts, Suggestion } from "./address-provider.ts";
import { findSuggestedAddress, canFindStreets, suggestAddresses } from "./suggest-addresses.ts";

@VisibleTo("everyone")
@ObjectType({ description: "The parts of a suggested address. Unknown parts are empty." })
export class SuggestedAddress implements AddressParts {
  @Field(() => String, { description: "Unit, flat or suite number." })
  unitNumber!: string;
  @Field(() => String, { description: "Street number." })
  streetNumber!: string;
  @Field(() => String, { description: "Street name." })
  streetName!: string;
  @Field(() => String, { description: "City or suburb." })
  city!: string;
  @Field(() => String, { description: "The state. A code such as QLD in Australia and the United States." })
  state!: string;
  @Field(() => String, { description: "Post code." })
  postCode!: string;
  @Field(() => String, { description: "The country's English name." })
  country!: string;
}

@VisibleTo("everyone")
@ObjectType({ description: "An address that matches the text typed so far." })
export class AddressSuggestion implements Suggestion {
  @Field(() => ID, { description: "ID to pass to `suggestedAddress`." })
  id!: string;

  @Field(() => String, { description: "The address as text." })
  label!: string;

  @Scope("open")
  @Field(() => SuggestedAddress, {
    nullable: true,
    description: "The parts of the address. If null, query `suggestedAddress` once the user chooses it.",
  })
  parts!: SuggestedAddress | null;
}

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
