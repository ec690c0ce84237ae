import type { AddressProviderSettings } from "#api/platform/config.ts";
import type { Context } from "#api/platform/context.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import type { AddressParts, AddressProvider, Suggestion } from "./address-provider.ts";
import { createAddressfinder } from "./addressfinder.ts";
import { embeddedLocalities } from "./embedded-localities.ts";
import { createGooglePlaces } from "./google-places.ts";

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
export async function suggestAddresses(
  context: Context,
  { text, country }: { text: string; country: string },
): Promise<readonly Suggestion[]> {
  await context.rateLimits.take("addressSuggestions", toRateLimitAddress(context.origin.ip));
  const query = text
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, MAX_CHARACTERS);
  if (query.length < MIN_CHARACTERS) return [];
  const online = await callOnline(context, (provider, signal) => provider.suggest(query, country, signal));
  return online?.length ? online : embeddedLocalities.suggest(query, country);
}

/** Returns whether the address search finds streets. The embedded list contains only suburbs and post codes. */
export function canFindStreets({ config }: Pick<Context, "config">): boolean {
  return config.addressProvider !== null;
}

/**
 * Returns the address parts of a suggestion that was sent without them, or null if the suggestion is unknown or the
 * service fails.
 * @throws AppError RATE_LIMITED as {@link suggestAddresses} does.
 */
export async function findSuggestedAddress(context: Context, id: string): Promise<AddressParts | null> {
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
