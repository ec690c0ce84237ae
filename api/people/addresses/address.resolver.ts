import { Arg, Ctx, ID, Query, Resolver } from "type-graphql";
import { Allow, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import type { AddressProviderSettings } from "#api/platform/config.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { type AddressProvider, fetchJson, MAX_SUGGESTIONS, readText } from "./address-provider.ts";
import { embeddedLocalities } from "./embedded-localities.ts";
import { findCountry, findCountryCode } from "#schema/address.ts";
import { cleanText } from "#schema/clean-text.ts";

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
    parts: fieldOrNull.object(
      () => SuggestedAddress,
      "The parts of the address. If null, query `suggestedAddress` once the user chooses it.",
      { access: Scope("open") },
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
  addressSearchFindsStreets(@Ctx() { config }: Context): boolean {
    // The embedded list contains only suburbs and post codes.
    return config.addressProvider !== null;
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

/** Timeout for the online service, in milliseconds. Users who are typing don't wait longer than this. */
const ONLINE_TIMEOUT_MS = 2_000;

/** Minimum number of characters to search for. Fewer would match too many addresses. */
const MIN_CHARACTERS = 2;
const MAX_CHARACTERS = 100;

const providers: Record<AddressProviderSettings["name"], (settings: AddressProviderSettings) => AddressProvider> = {
  addressfinder: createAddressfinder,
  "google-places": createGooglePlaces,
};

/**
 * Suggests addresses for the text typed so far, from the online service if one is configured. Falls back to the
 * embedded localities if the service fails, takes longer than 2 s or finds nothing.
 * @throws AppError RATE_LIMITED after 90 requests a minute from one IP address.
 */
async function suggestAddresses(
  context: Context,
  { text, country }: { text: string; country: string },
): Promise<readonly AddressSuggestion[]> {
  await context.rateLimits.take("addressSuggestions", toRateLimitAddress(context.origin.ip));
  const query = cleanText(text)
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, MAX_CHARACTERS);
  if (query.length < MIN_CHARACTERS) return [];
  const known = findCountry(country) ?? country;
  const online = await callOnline(context, (provider, signal) => provider.suggest(query, known, signal));
  return online?.length ? online : embeddedLocalities.suggest(query, known);
}

/**
 * Returns the address parts of a suggestion that was sent without them, or null if the suggestion is unknown or the
 * service fails.
 * @throws AppError RATE_LIMITED as {@link suggestAddresses} does.
 */
async function findSuggestedAddress(context: Context, id: string): Promise<SuggestedAddress | null> {
  await context.rateLimits.take("addressSuggestions", toRateLimitAddress(context.origin.ip));
  if (id.length > 400 || /[\p{Cc}\p{Cs}]/u.test(id)) return null;
  const embedded = await embeddedLocalities.find(id);
  return embedded ?? (await callOnline(context, (provider, signal) => provider.find(id, signal)));
}

async function callOnline<Result>(
  { config, log }: Context,
  call: (provider: AddressProvider, signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  const settings = config.addressProvider;
  if (!settings) return null;
  try {
    return await call(providers[settings.name](settings), AbortSignal.timeout(ONLINE_TIMEOUT_MS));
  } catch (error) {
    // Don't log the message. It may contain the URL with the key and the text the user typed.
    log.warn({ provider: settings.name, fault: (error as Error).name }, "the address service did not respond");
    return null;
  }
}

/**
 * Creates a provider that uses Addressfinder's Australian addresses (`address/autocomplete` and `address/metadata`).
 */
function createAddressfinder({ apiKey, url }: AddressProviderSettings): AddressProvider {
  const request = (call: string, query: Record<string, string>, signal: AbortSignal) =>
    fetchJson(
      `${url ?? "https://api.addressfinder.io"}/api/au/address/${call}?${new URLSearchParams({ key: apiKey, format: "json", source: "gnaf", ...query })}`,
      { signal },
    );
  return {
    async suggest(text, country, signal) {
      if (country !== "Australia") return [];
      const response = (await request("autocomplete", { q: text, max: String(MAX_SUGGESTIONS) }, signal)) as {
        completions?: unknown;
      };
      if (!Array.isArray(response.completions)) throw new Error("The address service returned no completions.");
      return (response.completions as Record<string, unknown>[])
        .map((completion) => ({ id: readText(completion.id), label: readText(completion.full_address), parts: null }))
        .filter(({ id, label }) => id && label)
        .slice(0, MAX_SUGGESTIONS);
    },
    async find(id, signal) {
      const response = (await request("metadata", { id }, signal)) as Record<string, unknown>;
      if (response.success === false || !readText(response.locality_name)) return null;
      const numbers = [readText(response.street_number_1), readText(response.street_number_2)].filter(Boolean);
      const street = [response.street_name, response.street_type, response.street_suffix].map(readText).filter(Boolean);
      return {
        unitNumber: readText(response.unit_identifier),
        streetNumber: numbers.join("-"),
        streetName: toTitleCase(street.join(" ")),
        city: toTitleCase(readText(response.locality_name)),
        state: readText(response.state_territory),
        postCode: readText(response.postcode),
        country: "Australia",
      };
    },
  };
}

/**
 * Converts the capital letters used by Addressfinder to title case: `EAGLE STREET` → `Eagle Street`, `O'CONNOR` →
 * `O'Connor`.
 */
function toTitleCase(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text
    .toLowerCase()
    .replace(/(^|[\s-])\p{L}/gu, (start) => start.toUpperCase())
    .replace(/\b(Mc|[DO]['’])(\p{L})/gu, (_, start: string, next: string) => start + next.toUpperCase());
}

interface Component {
  readonly longText?: unknown;
  readonly shortText?: unknown;
  readonly types?: unknown;
}

/** Creates a provider that uses the Places API (New): `places:autocomplete` and place details. */
export function createGooglePlaces({ apiKey, url }: AddressProviderSettings): AddressProvider {
  const base = `${url ?? "https://places.googleapis.com"}/v1`;
  return {
    async suggest(text, country, signal) {
      const region = findCountryCode(country);
      const response = (await fetchJson(`${base}/places:autocomplete`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-goog-api-key": apiKey },
        body: JSON.stringify({ input: text, languageCode: "en", ...(region ? { includedRegionCodes: [region] } : {}) }),
        signal,
      })) as { suggestions?: { placePrediction?: { placeId?: unknown; text?: { text?: unknown } } }[] };
      // The field is missing if there are no suggestions.
      return (response.suggestions ?? [])
        .map(({ placePrediction }) => ({
          id: readText(placePrediction?.placeId),
          label: readText(placePrediction?.text?.text),
          parts: null,
        }))
        .filter(({ id, label }) => id && label)
        .slice(0, MAX_SUGGESTIONS);
    },
    async find(id, signal) {
      // Check the id because it becomes part of the path.
      if (!/^[\w-]+$/.test(id)) return null;
      const response = (await fetchJson(`${base}/places/${id}?languageCode=en`, {
        headers: { "x-goog-api-key": apiKey, "x-goog-fieldmask": "addressComponents" },
        signal,
      })) as { addressComponents?: Component[] };
      const components = response.addressComponents;
      if (!Array.isArray(components)) return null;
      const getComponent = (type: string, form: "longText" | "shortText" = "longText") =>
        readText(components.find(({ types }) => Array.isArray(types) && types.includes(type))?.[form]);
      const country = findCountry(getComponent("country")) ?? "";
      const hasStateCodes = country === "Australia" || country === "United States";
      return {
        unitNumber: getComponent("subpremise"),
        streetNumber: getComponent("street_number"),
        streetName: getComponent("route"),
        city: getComponent("locality") || getComponent("postal_town") || getComponent("sublocality"),
        state: getComponent("administrative_area_level_1", hasStateCodes ? "shortText" : "longText"),
        postCode: getComponent("postal_code"),
        country,
      };
    },
  };
}
