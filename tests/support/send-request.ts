import type { RestResponse } from "./test-app.ts";

/** What a request sends besides its address. Objects are sent as JSON, and texts, bytes and forms unchanged. */
export interface RequestOptions {
  readonly body?: unknown;
  readonly token?: string | null | undefined;
  readonly headers?: Record<string, string>;
}

/** Sends a request as a client of the API does, and reads its answer. */
export async function sendRequest(url: string, method: string, options: RequestOptions = {}): Promise<RestResponse> {
  const { body, token, headers = {} } = options;
  const isForm = body instanceof FormData;
  const isRaw = isForm || typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    redirect: "manual",
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, headers: response.headers, text, bytes, json: asJson(text) };
}

/** Parses a text. Returns undefined if it isn't JSON. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
