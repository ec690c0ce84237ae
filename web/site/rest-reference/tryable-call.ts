/** A call that the panel can send, read from the page. */
export interface TryableCall {
  readonly id: string;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly changes: boolean;
  /** True if the call requires a token. */
  readonly isSignedIn: boolean;
  /** False if the call requires a session. */
  readonly takesTokens: boolean;
  readonly inPath: readonly string[];
  readonly inQuery: readonly { readonly name: string; readonly required: boolean }[];
  /** Content type of the body; null if there is none. */
  readonly type: string | null;
  /** Example body as JSON; empty for files. */
  readonly example: string;
}

/** Reads a call from its section of the page. */
export function readTryableCall(section: HTMLElement): TryableCall {
  const { method = "GET", path = "", access, changes, query = "", type = null, scope } = section.dataset;
  return {
    id: section.id,
    title: section.querySelector("h3 a")?.textContent ?? path,
    method,
    path,
    changes: changes !== undefined,
    isSignedIn: access === "signedIn",
    takesTokens: scope !== "session",
    inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    inQuery: query
      .split(" ")
      .filter(Boolean)
      .map((name) => ({ name: name.replace("!", ""), required: name.endsWith("!") })),
    type,
    example: extractCurlBody(section.querySelector('pre[data-language="curl"]')?.textContent ?? ""),
  };
}

/** Extracts the body from a curl example, where it is the last argument, in single quotes. */
export function extractCurlBody(curl: string): string {
  const [, body = ""] = / -d '([\s\S]*)'$/.exec(curl) ?? [];
  return body.replaceAll(String.raw`'\''`, "'");
}

/** Builds the URL of a call with the entered values. Leaves out empty query parameters. */
export function buildUrl({ path, inQuery }: TryableCall, values: Readonly<Record<string, string>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]?.trim() ?? ""));
  const query = new URLSearchParams(
    inQuery.flatMap(({ name }) => (values[name]?.trim() ? [[name, values[name].trim()]] : [])),
  ).toString();
  return query ? `${filled}?${query}` : filled;
}
