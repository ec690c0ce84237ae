import type { AddressProviderSettings } from "#api/platform/config.ts";
import type { Context } from "#api/platform/context.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import type { AddressParts, AddressProvider, Suggestion } from "./address-provider.ts";
import { createAddressfinder } from "./addressfinder.ts";
import { embeddedLocalities } from "./embedded-localities.ts";
import { createGooglePlaces } from "./google-places.ts";

/** Longest an online service may take; a person who types does not wait longer. */
const ONLINE_MS = 2_000;

/** Fewer characters fit too much to help. */
const FEWEST_CHARACTERS = 2;
const MOST_CHARACTERS = 100;

const providers: Record<AddressProviderSettings["name"], (settings: AddressProviderSettings) => AddressProvider> = {
  addressfinder: createAddressfinder,
  "google-places": createGooglePlaces,
};

/**
 * Addresses that begin like what was typed, from the online service if one is set up. When that fails, takes
 * longer than 2 s or knows nothing, from the embedded localities.
 * @throws AppError RATE_LIMITED after 90 questions a minute from one address.
 */
export async function suggestAddresses(
  context: Context,
  { text, country }: { text: string; country: string },
): Promise<readonly Suggestion[]> {
  await context.rateLimits.take("addressSuggestions", limitedAddress(context.origin.ip));
  const asked = text
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, MOST_CHARACTERS);
  if (asked.length < FEWEST_CHARACTERS) return [];
  const online = await askOnline(context, (provider, signal) => provider.suggest(asked, country, signal));
  return online?.length ? online : embeddedLocalities.suggest(asked, country);
}

/** Returns whether the address search finds streets; the embedded list knows suburbs and post codes alone. */
export function findsStreets({ config }: Pick<Context, "config">): boolean {
  return config.addressProvider !== null;
}

/**
 * The parts of a suggestion that came without them; null when it is unknown or the service does not answer.
 * @throws AppError RATE_LIMITED as {@link suggestAddresses}.
 */
export async function findSuggestedAddress(context: Context, id: string): Promise<AddressParts | null> {
  await context.rateLimits.take("addressSuggestions", limitedAddress(context.origin.ip));
  if (id.length > 400 || /[\p{Cc}\p{Cs}]/u.test(id)) return null;
  const embedded = await embeddedLocalities.find(id);
  return embedded ?? (await askOnline(context, (provider, signal) => provider.find(id, signal)));
}

async function askOnline<Result>(
  { config, log }: Context,
  ask: (provider: AddressProvider, signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  const settings = config.addressProvider;
  if (!settings) return null;
  try {
    return await ask(providers[settings.name](settings), AbortSignal.timeout(ONLINE_MS));
  } catch (error) {
    // Its message may hold the address with the key, and what the person typed.
    log.warn({ provider: settings.name, fault: (error as Error).name }, "the address service did not answer");
    return null;
  }
}
