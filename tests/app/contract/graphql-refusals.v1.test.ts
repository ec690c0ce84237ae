import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const post = (payload: object, headers: Record<string, string> = {}) =>
  app.app.inject({ method: "POST", url: "/graphql", payload, headers });

test("returns 200 with UNAUTHENTICATED for an unknown token, as documented in docs/graphql.md", async () => {
  const answer = await post({ query: "{ me { id } }" }, { authorization: `Bearer xpat_${"a".repeat(43)}` });
  expect(answer.statusCode).toBe(200);
  expect(answer.json().errors[0].extensions.code).toBe("UNAUTHENTICATED");
});

test("rejects a body over 100 kB before GraphQL reads it, as documented in docs/graphql.md", async () => {
  const answer = await post({ query: "{ me { id } }", variables: { text: "x".repeat(110_000) } });
  expect(answer.statusCode).toBe(413);
  expect(Object.keys(answer.json())).toEqual(["Message", "requestId"]);
});
