/** What the panel asks for and sends, as the page says it. */
export interface TryableCall {
  readonly id: string;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly changes: boolean;
  /** Whether a token is wanted. */
  readonly isSignedIn: boolean;
  /** False where only a session will do. */
  readonly takesTokens: boolean;
  readonly inPath: readonly string[];
  readonly inQuery: readonly { readonly name: string; readonly required: boolean }[];
  /** Content type of the body; null where there is none. */
  readonly type: string | null;
  /** JSON of the example; empty for files. */
  readonly example: string;
}

/** Reads a call's section. */
export function tryableCall(section: HTMLElement): TryableCall {
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
    example: bodyIn(section.querySelector('pre[data-language="curl"]')?.textContent ?? ""),
  };
}

/** The body of a curl example, which stands last and in single quotes. */
export function bodyIn(curl: string): string {
  const [, body = ""] = / -d '([\s\S]*)'$/.exec(curl) ?? [];
  return body.replaceAll(String.raw`'\''`, "'");
}

/** The address of a call with what was typed; what was left empty in the query is left out. */
export function addressOf({ path, inQuery }: TryableCall, values: Readonly<Record<string, string>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]?.trim() ?? ""));
  const query = new URLSearchParams(
    inQuery.flatMap(({ name }) => (values[name]?.trim() ? [[name, values[name].trim()]] : [])),
  ).toString();
  return query ? `${filled}?${query}` : filled;
}
