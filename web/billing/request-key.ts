import { useRef } from "react";

/** Returns a random UUID. `crypto.randomUUID` isn't available on pages served without TLS. */
export function createRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, "0");
  }).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Keeps the idempotency key of a request. The API answers a repeated key with the first result, so another content needs
 * another key: otherwise what was sent first would be reported as what was sent last.
 */
export function useRequestKey() {
  const last = useRef<{ content: string; key: string }>(null);
  return {
    /** Returns the key of a request, which is the same for each try of the same content. */
    get: (content: object | string): string => {
      const text = JSON.stringify(content);
      last.current = last.current?.content === text ? last.current : { content: text, key: createRequestKey() };
      return last.current.key;
    },
    /** Starts another request, even with the same content. */
    renew: () => {
      last.current = null;
    },
  };
}
