import { describe, expect, test } from "vitest";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const user = await createUser(app);

const comment = (alias: string, directive = "") =>
  `${alias}: addComment(userId: $user, comment: "Called back about ${alias}.") ${directive} { id }`;
const both = `${comment("a")} ${comment("b")}`;

async function send(operation: string, variables: Record<string, unknown> = {}) {
  const before = await countComments();
  const answer = await app.graphql(operation, { user: user.id, ...variables }, admin);
  return {
    status: answer.status,
    code: answer.errors?.[0]?.extensions.code,
    message: answer.errors?.[0]?.message,
    written: (await countComments()) - before,
  };
}

async function countComments(): Promise<number> {
  const { rows } = await app.services.pool.query<{ count: number }>("select count(*)::int as count from comments");
  return rows[0]?.count ?? 0;
}

describe("a mutation with several root fields", () => {
  test.each<[string, string, Record<string, unknown>?]>([
    ["two fields", `mutation ($user: ID!) { ${both} }`],
    ["an inline fragment", `mutation ($user: ID!) { ... on Mutation { ${both} } }`],
    [
      "fifteen aliases in an inline fragment",
      `mutation ($user: ID!) { ... on Mutation { ${Array.from({ length: 15 }, (_, n) => comment(`a${n}`)).join(" ")} } }`,
    ],
    ["an inline fragment without a type", `mutation ($user: ID!) { ... { ${both} } }`],
    ["nested inline fragments", `mutation ($user: ID!) { ... { ... on Mutation { ... { ${both} } } } }`],
    ["a named fragment", `mutation ($user: ID!) { ...Both } fragment Both on Mutation { ${both} }`],
    [
      "nested named fragments",
      `mutation ($user: ID!) { ...A } fragment A on Mutation { ${comment("a")} ...B } fragment B on Mutation { ${comment("b")} }`,
    ],
    [
      "a named fragment in an inline fragment",
      `mutation ($user: ID!) { ... on Mutation { ${comment("a")} ...B } } fragment B on Mutation { ${comment("b")} }`,
    ],
    [
      "two named fragments",
      `mutation ($user: ID!) { ...A ...B } fragment A on Mutation { ${comment("a")} } fragment B on Mutation { ${comment("b")} }`,
    ],
    [
      "a field included by a variable",
      `mutation ($user: ID!, $also: Boolean!) { ${comment("a")} ${comment("b", "@include(if: $also)")} }`,
      { also: true },
    ],
    [
      "a fragment included by a variable's default",
      `mutation ($user: ID!, $also: Boolean = true) { ${comment("a")} ... @include(if: $also) { ${comment("b")} } }`,
    ],
    [
      "a spread not skipped by a variable",
      `mutation ($user: ID!, $not: Boolean!) { ${comment("a")} ...B @skip(if: $not) } fragment B on Mutation { ${comment("b")} }`,
      { not: false },
    ],
    [
      "an operation chosen by name",
      `query Q { __typename } mutation M($user: ID!) { ... on Mutation { ${both} } }`,
      { operationName: "M" },
    ],
  ])("is rejected and writes nothing: %s", async (_name, operation, { operationName, ...variables } = {}) => {
    if (operationName) {
      const body = { query: operation, operationName, variables: { user: user.id } };
      const { status, json } = await app.rest("POST", "/graphql", { body, token: admin });
      expect([status, json.errors[0].message]).toEqual([400, "An operation can contain only one mutation."]);
      return;
    }
    expect(await send(operation, variables)).toEqual({
      status: 400,
      code: "BAD_USER_INPUT",
      message: "An operation can contain only one mutation.",
      written: 0,
    });
  });
});

describe("a mutation with one root field", () => {
  test.each<[string, string, Record<string, unknown>?]>([
    ["in nested fragments", `mutation ($user: ID!) { ... { ...A } } fragment A on Mutation { ${comment("a")} }`],
    [
      "in two fragments under one response key",
      `mutation ($user: ID!) { ...A ...B } fragment A on Mutation { ${comment("a")} } fragment B on Mutation { ${comment("a")} }`,
    ],
    ["in a fragment spread twice", `mutation ($user: ID!) { ...A ...A } fragment A on Mutation { ${comment("a")} }`],
    [
      "next to a field a variable excludes",
      `mutation ($user: ID!, $also: Boolean!) { ${comment("a")} ${comment("b", "@include(if: $also)")} }`,
      { also: false },
    ],
    [
      "next to a field a variable skips",
      `mutation ($user: ID!, $not: Boolean!) { ... @skip(if: $not) { ${comment("b")} } ${comment("a")} }`,
      { not: true },
    ],
    ["next to __typename", `mutation ($user: ID!) { __typename ${comment("a")} }`],
  ])("runs once: %s", async (_name, operation, variables) => {
    expect(await send(operation, variables)).toMatchObject({ status: 200, code: undefined, written: 1 });
  });
});
