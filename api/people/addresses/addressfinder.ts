import type { AddressProviderSettings } from "#api/platform/config.ts";
import { type AddressProvider, fetchJson, MAX_SUGGESTIONS, readText } from "./address-provider.ts";

const DEFAULT_URL = "https://api.addressfinder.io";

/**
 * Creates a provider that uses Addressfinder's Australian addresses (`address/autocomplete` and `address/metadata`).
 */
export function createAddressfinder({ apiKey, url }: AddressProviderSettings): AddressProvider {
  const request = (call: string, query: Record<string, string>, signal: AbortSignal) =>
    fetchJson(
      `${url ?? DEFAULT_URL}/api/au/address/${call}?${new URLSearchParams({ key: apiKey, format: "json", source: "gnaf", ...query })}`,
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

/** Converts the capital letters used by Addressfinder to title case: `EAGLE STREET` → `Eagle Street`. */
function toTitleCase(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text.toLowerCase().replace(/(^|[\s-])\p{L}/gu, (start) => start.toUpperCase());
}
