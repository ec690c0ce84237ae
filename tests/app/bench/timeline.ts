import { idOf } from "./population.ts";
import { owner, timelines } from "./seed.ts";
import type { BenchServer } from "./servers.ts";

/** A page of a licence's timeline, as the portal asks for it. */
const query = `query Timeline($id: ID!) { licence(id: $id) { id events(first: 50) { rows { id at asked answer code } hasMore } } }`;

/** The bodies that ask for the first page of each seeded timeline. */
export function timelineQuestions(): string[] {
  return Array.from({ length: timelines.licences }, (_, index) =>
    JSON.stringify({ query, variables: { id: idOf("licence", index + 1) } }),
  );
}

/** Signs the owner of the timelines in and gives the header; good for ten minutes. */
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
  if (!access_token) throw new Error(`The owner of the timelines could not sign in: ${response.status}.`);
  return `Bearer ${access_token}`;
}

/** What is wrong with the answer to the first question, or null. */
export async function faultOfTimeline(server: BenchServer, authorization: string): Promise<string | null> {
  const response = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: timelineQuestions()[0] ?? "",
  });
  const text = await response.text();
  const rows = text.split('"asked"').length - 1;
  return response.ok && !text.includes('"errors"') && rows === 50
    ? null
    : `A page of a timeline has ${rows} of 50 events: ${text.slice(0, 300)}`;
}

const TOKEN_MS = 8 * 60_000;
const tokens = new Map<string, { at: number; token: string }>();

/** An access token that is good for at least the next round, signing in only as often as a person may. */
export async function tokenFor(server: BenchServer): Promise<string> {
  const known = tokens.get(server.url);
  if (known && performance.now() - known.at < TOKEN_MS) return known.token;
  const token = await signInOwner(server);
  tokens.set(server.url, { at: performance.now(), token });
  return token;
}
