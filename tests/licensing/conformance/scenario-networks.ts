import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { TestApp } from "#tests/support/test-app.ts";
import { type ProxiedResponse, forwardUnchanged, type ProxyHandler } from "#tests/support/http-proxy.ts";

/** Values available to a network that manipulates answers. */
export interface NetworkMeans {
  readonly app: TestApp;
  /** The service's last genuine answer to this client. */
  readonly earlier: () => ProxiedResponse;
  /** An access token of the product, signed with the same keys. */
  readonly accessToken: string;
}

type Part = Record<string, unknown>;

const json = (body: unknown, status = 200): ProxiedResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const page = (status: number, headers: Record<string, string> = {}): ProxiedResponse => ({
  status,
  headers: { "content-type": "text/html", ...headers },
  body: "<!doctype html><title>Hotel Wi-Fi</title><h1>Please accept our terms</h1>",
});

const busy = (status: number, retryAfter: string): ProxiedResponse => ({
  ...json({ Message: "busy" }, status),
  headers: { "retry-after": retryAfter },
});

/** Returns a network in which only the first request finds the service busy. */
function busyOnce(...response: Parameters<typeof busy>): ProxyHandler {
  let requests = 0;
  return (_request, forward) => (requests++ === 0 ? busy(...response) : forward());
}

/** Returns a compact JWS, signed as `alg` requires. */
export function signJws(header: Part, payload: unknown, key: KeyObject): string {
  const signed = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature =
    header.alg === "none"
      ? Buffer.from("none")
      : header.alg === "HS256"
        ? createHmac("sha256", key.export({ format: "pem", type: "spki" }))
            .update(signed)
            .digest()
        : sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

const strangersKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** Returns a network that replaces the proof of every answer but changes nothing else. */
const withProof =
  (forge: (parts: { header: Part; payload: Part; proof: string }) => string): ProxyHandler =>
  async (request, forward) => {
    const answer = await forward();
    if (request.method === "GET" || answer.status !== 200) return answer;
    const { data, proof } = JSON.parse(String(answer.body)) as { data: unknown; proof: string };
    const [header, payload] = proof.split(".").map((part) => Buffer.from(part, "base64url").toString());
    const forged = forge({ header: JSON.parse(header ?? ""), payload: JSON.parse(payload ?? ""), proof });
    return json({ data, proof: forged });
  };

/** Returns a network that signs every proof again, with another header or key. */
const signedAgain = (changes: Part, key: KeyObject) =>
  withProof(({ header, payload }) => signJws({ ...header, ...changes }, payload, key));

/** Returns the data of a licence that never expires, to send with the genuine proof or in an unsigned one. */
function forEver(data: Part): Part {
  return { ...data, valid: true, resultCode: 1, code: "VALID", graceUntilUtc: "2099-12-31T00:00:00.000Z" };
}

const named = {
  online: () => forwardUnchanged,
  refused: () => () => "refuse",
  hanging: () => () => "hang",
  "cut off": () => async (_request, forward) => ({ ...(await forward()), cut: true }),
  "503": () => () => busy(503, "5"),
  "503 for an hour": () => () => busy(503, "3600"),
  "503 until a date": () => () => busy(503, "Wed, 01 Jan 2020 00:00:00 GMT"),
  "503 once": () => busyOnce(503, "5"),
  "429 once": () => busyOnce(429, "2"),
  "429": () => () => busy(429, "1"),
  "500": () => () => json({ Message: "fault" }, 500),
  "portal page": () => () => page(200),
  "portal 401": () => () => page(401),
  "JSON 401": () => () => json({ error: "sign in first" }, 401),
  "portal 400": () => () => page(400),
  "proxy 407": () => () => page(407, { "proxy-authenticate": "Basic" }),
  redirect: () => () => page(302, { location: "http://127.0.0.1:9/sign-in" }),
  truncated: () => async (_request, forward) => {
    const answer = await forward();
    return { ...answer, body: String(answer.body).slice(0, -20) };
  },
  empty: () => () => json(""),
  null: () => () => json("null"),
  "wrong shape": () => () => json({ data: { valid: "yes" }, proof: 7 }),
  "no proof": () => async (_request, forward) => {
    const { data } = JSON.parse(String((await forward()).body)) as { data: Part };
    return json({ data: forEver(data) });
  },
  // A genuine answer followed by endless white space. Only its length is suspicious.
  "gzip bomb": () => async (_request, forward) => ({
    status: 200,
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: gzipSync(Buffer.concat([Buffer.from((await forward()).body), Buffer.alloc(20_000_000, " ")])),
  }),
  "changed data": () => async (_request, forward) => {
    const { data, proof } = JSON.parse(String((await forward()).body)) as { data: Part; proof: string };
    return json({ data: forEver(data), proof });
  },
  "tampered proof": () =>
    withProof(({ payload, proof }) => {
      const [header, , signature] = proof.split(".");
      const forged = { ...payload, data: forEver(payload.data as Part) };
      return [header, Buffer.from(JSON.stringify(forged)).toString("base64url"), signature].join(".");
    }),
  "stranger's key": () => signedAgain({}, strangersKey),
  "unknown key": () => signedAgain({ kid: "new" }, strangersKey),
  "alg none": () => signedAgain({ alg: "none" }, strangersKey),
  "alg HS256": ({ app }) => signedAgain({ alg: "HS256" }, app.services.keys.current.publicKey),
  "access token's type": ({ app }) => signedAgain({ typ: "at+jwt" }, app.services.keys.current.privateKey),
  "licence file's type": ({ app }) => signedAgain({ typ: "licence-file" }, app.services.keys.current.privateKey),
  "access token": ({ accessToken }) => withProof(() => accessToken),
  replayed:
    ({ earlier }) =>
    (request, forward) =>
      request.method === "GET" ? forward() : earlier(),
  "another nonce": () => (request, forward) =>
    forward(request.body ? { body: JSON.stringify({ ...JSON.parse(request.body), nonce: "nonce-of-another" }) } : {}),
  "another machine": ({ app }) =>
    withProof(({ header, payload }) =>
      signJws(header, { ...payload, fingerprint: "another-machine" }, app.services.keys.current.privateKey),
    ),
} satisfies Record<string, (means: NetworkMeans) => ProxyHandler>;

export type NetworkName = keyof typeof named;
/** Networks by name. Each handles the traffic between a client and the service. */
export const networks: Readonly<Record<NetworkName, (means: NetworkMeans) => ProxyHandler>> = named;
