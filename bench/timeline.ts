import { buildRowId } from "./population.ts";
import { owner, timelines } from "./seed.ts";
import type { BenchServer } from "./servers.ts";

/** The portal's query for a page of a licence's timeline. */
const query = `query Timeline($id: ID!) { licence(id: $id) { id events(first: 50) { rows { id at asked answer code } endCursor } } }`;

/** Builds the requests for the first page of each seeded timeline. */
export function buildTimelineRequests(): string[] {
  return Array.from({ length: timelines.licences }, (_, index) =>
    JSON.stringify({ query, variables: { id: buildRowId("licence", index + 1) } }),
  );
}

/** Signs in the owner of the timelines and returns the authorization header, valid for ten minutes. */
export async function signInOwner(server: BenchServer): Promise<string> {
  const response = await fetch(`${server.url}/v1/core/auth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      GrantType: "password",
      ClientId: "portal",
      UserName: owner.email,
      Password: owner.password,
    }),
  });
  const { access_token } = (await response.json()) as { access_token?: string };
  if (!access_token) throw new Error(`The owner of the timelines couldn't sign in: ${response.status}.`);
  return `Bearer ${access_token}`;
}

/** Describes what is wrong with the response to the first request, or returns null if it is correct. */
export async function findTimelineFault(server: BenchServer, authorization: string): Promise<string | null> {
  const response = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: buildTimelineRequests()[0] ?? "",
  });
  const text = await response.text();
  const rows = text.split('"asked"').length - 1;
  return response.ok && !text.includes('"errors"') && rows === 50
    ? null
    : `A page of a timeline has ${rows} of 50 events: ${text.slice(0, 300)}`;
}

const TOKEN_MS = 8 * 60_000;
const tokens = new Map<string, { at: number; token: string }>();

/** Returns an access token valid for at least the next round. Signs in only as often as the rate limit allows. */
export async function getAuthorization(server: BenchServer): Promise<string> {
  const cached = tokens.get(server.url);
  if (cached && performance.now() - cached.at < TOKEN_MS) return cached.token;
  const token = await signInOwner(server);
  tokens.set(server.url, { at: performance.now(), token });
  return token;
}
