import type { AddressProviderSettings } from "#api/platform/config.ts";
import { type AddressProvider, fetchJson, MOST_SUGGESTIONS, textOf } from "./address-provider.ts";

let codes: Map<string, string> | undefined;

/** The two-letter code of a country by its English name (`Australia` → `au`); undefined for an unknown name. */
export function regionCodeOf(country: string): string | undefined {
  codes ??= namesOfRegions();
  return codes.get(plain(country));
}

function namesOfRegions(): Map<string, string> {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
  const found = new Map<string, string>();
  for (const first of letters)
    for (const second of letters) {
      const name = names.of(first + second);
      // The first code of a name is the one in use; withdrawn ones come with the name of their successor.
      if (name && !found.has(plain(name))) found.set(plain(name), (first + second).toLowerCase());
    }
  return found;
}

/** Names are spelt in more than one way: `Saint Lucia` and `St. Lucia`, `&` and `and`. */
function plain(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/\bst\./g, "saint")
    .replace(/[^a-z]/g, "");
}

const OWN_URL = "https://places.googleapis.com";

interface Component {
  readonly longText?: unknown;
  readonly shortText?: unknown;
  readonly types?: unknown;
}

/** Google Places, its API (New): `places:autocomplete` and the details of a place. */
export function createGooglePlaces({ apiKey, url }: AddressProviderSettings): AddressProvider {
  const base = `${url ?? OWN_URL}/v1`;
  return {
    async suggest(text, country, signal) {
      const region = regionCodeOf(country);
      const answer = (await fetchJson(`${base}/places:autocomplete`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-goog-api-key": apiKey },
        body: JSON.stringify({ input: text, languageCode: "en", ...(region ? { includedRegionCodes: [region] } : {}) }),
        signal,
      })) as { suggestions?: { placePrediction?: { placeId?: unknown; text?: { text?: unknown } } }[] };
      // Without any suggestion the field is missing.
      return (answer.suggestions ?? [])
        .map(({ placePrediction }) => ({
          id: textOf(placePrediction?.placeId),
          label: textOf(placePrediction?.text?.text),
          parts: null,
        }))
        .filter(({ id, label }) => id && label)
        .slice(0, MOST_SUGGESTIONS);
    },
    async find(id, signal) {
      // The id becomes part of the path.
      if (!/^[\w-]+$/.test(id)) return null;
      const answer = (await fetchJson(`${base}/places/${id}?languageCode=en`, {
        headers: { "x-goog-api-key": apiKey, "x-goog-fieldmask": "addressComponents" },
        signal,
      })) as { addressComponents?: Component[] };
      const components = answer.addressComponents;
      if (!Array.isArray(components)) return null;
      const of = (type: string, form: "longText" | "shortText" = "longText") =>
        textOf(components.find(({ types }) => Array.isArray(types) && types.includes(type))?.[form]);
      const country = of("country");
      const hasStateCodes = country === "Australia" || country === "United States";
      return {
        unitNumber: of("subpremise"),
        streetNumber: of("street_number"),
        streetName: of("route"),
        city: of("locality") || of("postal_town") || of("sublocality"),
        state: of("administrative_area_level_1", hasStateCodes ? "shortText" : "longText"),
        postCode: of("postal_code"),
        country,
      };
    },
  };
}
