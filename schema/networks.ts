const MOST_BITS = { 4: 32, 6: 128 } as const;

/** Returns the version of an IP address, or null for another text. Runs in browsers, too. */
function getIpVersion(text: string): 4 | 6 | null {
  const parts = text.split(".");
  if (parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return 4;
  return /^[\da-f:.]+$/i.test(text) && text.includes(":") && URL.canParse(`http://[${text}]/`) ? 6 : null;
}

/** Returns whether a text is an IP address, or a network in CIDR notation other than `/0`, which would be everywhere. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const version = getIpVersion(address);
  if (version === null || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= MOST_BITS[version]);
}

/** Returns the entries of a list of networks, which commas, spaces or line breaks separate. */
export function splitNetworks(text: string): string[] {
  return text.split(/[\s,]+/).filter((one) => one !== "");
}
