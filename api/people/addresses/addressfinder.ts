import type { AddressProviderSettings } from "#api/platform/config.ts";
import { type AddressProvider, fetchJson, MOST_SUGGESTIONS, textOf } from "./address-provider.ts";

const OWN_URL = "https://api.addressfinder.io";

/** Addressfinder's Australian addresses (its calls `address/autocomplete` and `address/metadata`). */
export function createAddressfinder({ apiKey, url }: AddressProviderSettings): AddressProvider {
  const ask = (call: string, query: Record<string, string>, signal: AbortSignal) =>
    fetchJson(
      `${url ?? OWN_URL}/api/au/address/${call}?${new URLSearchParams({ key: apiKey, format: "json", source: "gnaf", ...query })}`,
      { signal },
    );
  return {
    async suggest(text, country, signal) {
      if (country !== "Australia") return [];
      const answer = (await ask("autocomplete", { q: text, max: String(MOST_SUGGESTIONS) }, signal)) as {
        completions?: unknown;
      };
      if (!Array.isArray(answer.completions)) throw new Error("The address service answered without completions.");
      return (answer.completions as Record<string, unknown>[])
        .map((one) => ({ id: textOf(one.id), label: textOf(one.full_address), parts: null }))
        .filter(({ id, label }) => id && label)
        .slice(0, MOST_SUGGESTIONS);
    },
    async find(id, signal) {
      const answer = (await ask("metadata", { id }, signal)) as Record<string, unknown>;
      if (answer.success === false || !textOf(answer.locality_name)) return null;
      const numbers = [textOf(answer.street_number_1), textOf(answer.street_number_2)].filter(Boolean);
      const street = [answer.street_name, answer.street_type, answer.street_suffix].map(textOf).filter(Boolean);
      return {
        unitNumber: textOf(answer.unit_identifier),
        streetNumber: numbers.join("-"),
        streetName: titled(street.join(" ")),
        city: titled(textOf(answer.locality_name)),
        state: textOf(answer.state_territory),
        postCode: textOf(answer.postcode),
        country: "Australia",
      };
    },
  };
}

/** The address file writes in capitals: `EAGLE STREET` → `Eagle Street`. */
function titled(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text.toLowerCase().replace(/(^|[\s-])\p{L}/gu, (start) => start.toUpperCase());
}
