/** The parts of an address; empty where the provider does not know them. Country is its English name. */
export interface AddressParts {
  readonly unitNumber: string;
  readonly streetNumber: string;
  readonly streetName: string;
  readonly city: string;
  /** Code in Australia (QLD) and the United States. */
  readonly state: string;
  readonly postCode: string;
  readonly country: string;
}

/** One line to choose; its parts come with it, or are asked for by its id once it is chosen. */
export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly parts: AddressParts | null;
}

/** Whoever completes addresses: the embedded list or an online service. */
export interface AddressProvider {
  /**
   * At most {@link MOST_SUGGESTIONS} for what was typed so far, best first.
   * @throws Error when the service does not answer as it should.
   */
  suggest(text: string, country: string, signal: AbortSignal): Promise<readonly Suggestion[]>;
  /** The parts behind an id that `suggest` gave; null when it is unknown. @throws Error as `suggest`. */
  find(id: string, signal: AbortSignal): Promise<AddressParts | null>;
}

/** As many as a person looks through. */
export const MOST_SUGGESTIONS = 8;

/** Asks an online service for JSON. @throws Error for any status but 200 and for what is no JSON. */
export async function fetchJson(url: string, request: RequestInit): Promise<unknown> {
  // A redirect would carry the key elsewhere.
  const response = await fetch(url, { ...request, redirect: "error" });
  if (response.status !== 200) throw new Error(`The address service answered ${response.status}.`);
  return response.json();
}

/** A text of a service's answer, or nothing. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim().slice(0, 300) : "";
}
