import type { AddressValues } from "./address-inputs.tsx";

/** Formats an address as one line: `3/120 Eagle Street, Brisbane QLD 4000, Australia`. */
export function formatFullAddress(address: AddressValues): string {
  const { unitNumber, streetNumber, streetName, city, state, postCode, country } = address;
  const number = unitNumber?.trim() ? `${unitNumber.trim()}/${streetNumber}` : streetNumber;
  return `${number} ${streetName}, ${city} ${state} ${postCode}, ${country}`;
}
