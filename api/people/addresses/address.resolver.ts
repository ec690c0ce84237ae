import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver } from "type-graphql";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import type { AddressParts, Suggestion } from "./address-provider.ts";
import { findSuggestedAddress, findsStreets, suggestAddresses } from "./suggest-addresses.ts";

@ObjectType({ description: "The parts of a suggested address; empty where they are not known." })
export class SuggestedAddress implements AddressParts {
  @Field(() => String)
  unitNumber!: string;
  @Field(() => String)
  streetNumber!: string;
  @Field(() => String)
  streetName!: string;
  @Field(() => String)
  city!: string;
  @Field(() => String, { description: "Code in Australia (QLD) and the United States." })
  state!: string;
  @Field(() => String)
  postCode!: string;
  @Field(() => String, { description: "English name." })
  country!: string;
}

@ObjectType({ description: "An address that begins like what was typed." })
export class AddressSuggestion implements Suggestion {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  label!: string;

  @Field(() => SuggestedAddress, { nullable: true, description: "Null: ask `suggestedAddress` once it is chosen." })
  parts!: SuggestedAddress | null;
}

@Resolver()
export class AddressResolver {
  @Allow("everyone")
  @Query(() => [AddressSuggestion], { description: "At most 8, best first; none for less than 2 characters." })
  async addressSuggestions(
    @Arg("text", () => String) text: string,
    @Arg("country", () => String, { description: "English name." }) country: string,
    @Ctx() context: Context,
  ): Promise<AddressSuggestion[]> {
    return [...(await suggestAddresses(context, { text, country }))];
  }

  @Allow("everyone")
  @Query(() => Boolean, {
    description:
      "Whether `addressSuggestions` finds streets. If not, it suggests the suburb and post code, and keeps the street as typed.",
  })
  addressSearchFindsStreets(@Ctx() context: Context): boolean {
    return findsStreets(context);
  }

  @Allow("everyone")
  @Query(() => SuggestedAddress, { nullable: true, description: "The parts of a chosen suggestion." })
  async suggestedAddress(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<SuggestedAddress | null> {
    return findSuggestedAddress(context, id);
  }
}
