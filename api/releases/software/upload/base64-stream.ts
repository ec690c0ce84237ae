/** Turns base64, or a data URL of it, into bytes piece by piece. */
export interface Base64Stream {
  /** The bytes that a piece of text completes; null for text that is neither. */
  push(text: string): Buffer | null;
  /** What the last characters come to. */
  end(): Buffer | null;
}

const LONGEST_PREFIX = 200;

/** Starts one; line breaks and both alphabets (`+/` and `-_`) are taken. */
export function createBase64Stream(): Base64Stream {
  let prefix: string | null = "";
  let rest = "";
  let hasEnded = false;

  /** The text without `data:…;base64,` before it; empty while that may still be coming, null when it is malformed. */
  const withoutPrefix = (text: string, isLast: boolean): string | null => {
    if (prefix === null) return text;
    const all = prefix + text;
    prefix = all;
    if (!isLast && "data:".startsWith(all.slice(0, 5).toLowerCase())) {
      const comma = all.indexOf(",");
      if (comma < 0) return all.length > LONGEST_PREFIX ? null : "";
      prefix = null;
      return comma <= LONGEST_PREFIX && /;base64$/i.test(all.slice(0, comma)) ? all.slice(comma + 1) : null;
    }
    prefix = null;
    return all;
  };
  const decode = (text: string, isLast: boolean): Buffer | null => {
    const plain = withoutPrefix(text, isLast);
    if (plain === null) return null;
    const all = rest + plain.replace(/[\r\n\t ]/g, "");
    const whole = isLast ? all.length : all.length - (all.length % 4);
    const part = all.slice(0, whole);
    rest = all.slice(whole);
    if (part === "") return Buffer.alloc(0);
    // Padding ends the text: nothing may follow it.
    if (hasEnded || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(part)) return null;
    hasEnded = part.endsWith("=");
    const characters = part.replace(/=+$/, "").length;
    return characters % 4 === 1 || (hasEnded && part.length % 4 !== 0) ? null : Buffer.from(part, "base64");
  };
  return { push: (text) => decode(text, false), end: () => decode("", true) };
}
