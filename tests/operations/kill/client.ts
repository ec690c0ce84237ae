import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { testPassword } from "#tests/factories/user.ts";

/** Definite response of the product, which isn't 503 or another failure. */
export interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- responses of every shape
  readonly json: any;
  /** True if an earlier attempt of this request got no response. */
  readonly isRepeated: boolean;
}

export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string | undefined;
}

/** Client that repeats a request until it gets a definite response, as a browser with a retry button would. */
export interface Client {
  send(request: SentRequest): Promise<Reply>;
  /** Sends a GraphQL operation and returns its only field. @throws Error if it is refused */
  query<Field = Record<string, string>>(text: string, variables: object, token?: string): Promise<Field>;
  signIn(email: string): Promise<string>;
  /** Waits for the secret of the link in an email to an address whose subject starts with `subject`. */
  receiveSecret(to: string, subject: string): Promise<string>;
}

const GIVE_UP_MS = 120_000;
/** Part of the error of a request that was given up, which proves nothing. */
export const noResponse = "had no definite response";
/** Codes of GraphQL errors after which a client tries again. */
const temporary = new Set(["INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED"]);

/** @param pickUrl returns the address of a process, usually another one for each attempt */
export function createClient(pickUrl: () => string): Client {
  async function attempt({
    method = "POST",
    path,
    body,
    token,
  }: SentRequest): Promise<Omit<Reply, "isRepeated"> | null> {
    const response = await fetch(pickUrl() + path, {
      method,
      signal: AbortSignal.timeout(30_000),
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = await response.json();
    const code = (json as { errors?: { extensions?: { code?: string } }[] } | null)?.errors?.[0]?.extensions?.code;
    if (response.status >= 500 || temporary.has(code ?? "")) {
      if (process.env["OPERATIONS_LOG"]) process.stderr.write(`${path} ${response.status} ${JSON.stringify(json)}\n`);
      return null;
    }
    return { status: response.status, json };
  }

  async function send(request: SentRequest): Promise<Reply> {
    let isRepeated = false;
    for (const startedAt = performance.now(); performance.now() - startedAt < GIVE_UP_MS; await sleep(200)) {
      const reply = await attempt(request).catch(() => null);
      if (reply) return { ...reply, isRepeated };
      isRepeated = true;
    }
    throw new Error(`${request.path} ${noResponse} within ${GIVE_UP_MS / 1_000} s`);
  }

  async function query<Field>(text: string, variables: object, token?: string): Promise<Field> {
    const { json } = await send({ path: "/graphql", body: { query: text, variables }, token });
    if (!json.data || json.errors) throw new Error(`${text.trim().slice(0, 60)}: ${JSON.stringify(json.errors)}`);
    return Object.values(json.data as object)[0] as Field;
  }

  return {
    send,
    query,
    async signIn(email) {
      const body = { UserName: email, Password: testPassword, ClientId: "portal", GrantType: "password" };
      const { status, json } = await send({ path: "/v1/core/auth/token", body });
      if (status !== 200) throw new Error(`${email} could not sign in: ${status} ${JSON.stringify(json)}`);
      return json.access_token;
    },
    async receiveSecret(to, subject) {
      for (const startedAt = performance.now(); performance.now() - startedAt < GIVE_UP_MS; await sleep(200)) {
        const { json } = await send({ method: "GET", path: `/dev/mail.json?to=${encodeURIComponent(to)}` });
        const email = (json as { subject: string; text: string }[]).find((one) => one.subject.startsWith(subject));
        const secret = /\?t=([\w-]+)/.exec(email?.text ?? "")?.[1];
        if (secret) return secret;
      }
      throw new Error(`${to} received no email "${subject}"`);
    },
  };
}
