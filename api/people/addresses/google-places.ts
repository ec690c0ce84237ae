import { findCountry, findCountryCode } from "#schema/address.ts";
import type { AddressProviderSettings } from "#api/platform/config.ts";
import { type AddressProvider, fetchJson, MAX_SUGGESTIONS, readText } from "./address-provider.ts";

const DEFAULT_URL = "https://places.googleapis.com";

interface Component {
  readonly longText?: unknown;
  readonly shortText?: unknown;
  readonly types?: unknown;
}

/** Creates a provider that uses the Places API (New): `places:autocomplete` and place details. */
export function createGooglePlaces({ apiKey, url }: AddressProviderSettings): AddressProvider {
  const base = `${url ?? DEFAULT_URL}/v1`;
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
