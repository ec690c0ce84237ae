/** Decodes base64, or a base64 data URL, in chunks. */
export interface Base64Stream {
  /** Decodes the next chunk of text; returns null if it isn't valid. */
  push(text: string): Buffer | null;
  /** Decodes the remaining characters; returns null if they aren't valid. */
  end(): Buffer | null;
}

/** Maximum length of a `data:…;base64,` prefix, in characters. */
const MAX_PREFIX_LENGTH = 200;

/** Creates a decoder that accepts line breaks and both alphabets (`+/` and `-_`). */
export function createBase64Stream(): Base64Stream {
  let prefix: string | null = "";
  let rest = "";
  let hasEnded = false;

  /**
   * Removes a `data:…;base64,` prefix. Returns an empty string while the prefix is incomplete, and null if it is
   * malformed.
   */
  const removePrefix = (text: string, isLast: boolean): string | null => {
    if (prefix === null) return text;
    const all = prefix + text;
    prefix = all;
    if (!isLast && "data:".startsWith(all.slice(0, 5).toLowerCase())) {
      const comma = all.indexOf(",");
      if (comma < 0) return all.length > MAX_PREFIX_LENGTH ? null : "";
      prefix = null;
      return comma <= MAX_PREFIX_LENGTH && /;base64$/i.test(all.slice(0, comma)) ? all.slice(comma + 1) : null;
    }
    prefix = null;
    return all;
  };
  const decode = (text: string, isLast: boolean): Buffer | null => {
    const plain = removePrefix(text, isLast);
    if (plain === null) return null;
    const all = rest + plain.replace(/[\r\n\t ]/g, "");
    const whole = isLast ? all.length : all.length - (all.length % 4);
    const part = all.slice(0, whole);
    rest = all.slice(whole);
    if (part === "") return Buffer.alloc(0);
    // Nothing may follow padding.
    if (hasEnded || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(part)) return null;
    hasEnded = part.endsWith("=");
    const characters = part.replace(/={1,2}$/, "").length;
    return characters % 4 === 1 || (hasEnded && part.length % 4 !== 0) ? null : Buffer.from(part, "base64");
  };
  return { push: (text) => decode(text, false), end: () => decode("", true) };
}
