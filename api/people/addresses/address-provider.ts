import type { SuggestedAddress, AddressSuggestion } from "./address.resolver.ts";
/** Source of address suggestions: the embedded list or an online service. */
export interface AddressProvider {
  /**
   * Returns at most {@link MAX_SUGGESTIONS} suggestions for the text typed so far, best first.
   * @throws Error if the service fails.
   */
  suggest(text: string, country: string, signal: AbortSignal): Promise<readonly AddressSuggestion[]>;
  /**
   * Returns the address for an id that `suggest` returned, or null if it is unknown.
   * @throws Error if the service fails.
   */
  find(id: string, signal: AbortSignal): Promise<SuggestedAddress | null>;
}

/** Maximum number of suggestions returned. */
export const MAX_SUGGESTIONS = 8;

/**
 * Requests JSON from an online service.
 * @throws Error for any status other than 200 and for invalid JSON.
 */
export async function fetchJson(url: string, request: RequestInit): Promise<unknown> {
  // A redirect would send the key to another host.
  const response = await fetch(url, { ...request, redirect: "error" });
  if (response.status !== 200) throw new Error(`The address service returned status ${response.status}.`);
  return response.json();
}

/** Returns a value from a service's response if it is a string, otherwise an empty string. */
export function readText(value: unknown): string {
  return typeof value === "string" ? value.trim().slice(0, 300) : "";
}
