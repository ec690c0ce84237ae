import {
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  getNamedType,
} from "graphql";
import { expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { mapInPool } from "#tests/app/http/hostile-stage.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const schema = buildGraphqlSchema();

const characters = ["", "   ", "a\u0000b", "\ud800", "a\r\nX-Evil: 1", "x".repeat(20_000)];
const code = ["'; drop table users; --", "<script>alert(1)</script>", "(((((((((([a-z", "\\m\\", "%_\\"];
const hostileTexts = [...characters, ...code, "00000000-0000-4000-8000-000000000000"];
const AT_A_TIME = 6;
const hostileNumbers = [-1, 0, 2_147_483_647];

/** Builds a value for an input type, with the hostile text or number in every leaf that accepts it. */
function buildValue(type: GraphQLInputType, text: string, number: number): unknown {
  if (isNonNullType(type)) return buildValue(type.ofType, text, number);
  if (isListType(type)) return [buildValue(type.ofType, text, number)];
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [field.name, buildValue(field.type, text, number)]),
    );
  if (type.name === "Int") return number;
  if (type.name === "Boolean") return true;
  return text;
}

const rootFields = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).map((field) => ({
    kind: root === schema.getQueryType() ? "query" : "mutation",
    field,
  })),
);

const leak = /at .+\.(ts|js):\d+|node_modules|select .+ from|regular expression|invalid byte/i;

const app = await startTestApp();
const tokens = [await signInAs(app, await createUser(app)), await signInAs(app, await createAdmin(app))];

// Signing out would end the session.
const tested = rootFields.filter(({ field }) => field.name !== "signOut");
test.each(tested)("$field.name returns no internal errors or details for hostile values", async ({ kind, field }) => {
  const heading = field.args.map((arg) => `$${arg.name}: ${arg.type.toString()}`).join(", ");
  const passing = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const selection = isObjectType(getNamedType(field.type)) ? " { __typename }" : "";
  const document = `${kind} Hostile${heading ? `(${heading})` : ""} { ${field.name}${passing ? `(${passing})` : ""}${selection} }`;
  // Every text and every number, without all their combinations. Variables without texts or numbers repeat.
  const all = hostileTexts.map((text, index) => {
    const number = hostileNumbers[index % hostileNumbers.length] ?? 0;
    return Object.fromEntries(field.args.map((arg) => [arg.name, buildValue(arg.type, text, number)]));
  });
  const different = [...new Map(all.map((variables) => [JSON.stringify(variables), variables])).values()];
  const calls = different.flatMap((variables) => tokens.map((token) => ({ variables, token })));
  const answers = await mapInPool(calls, AT_A_TIME, async ({ variables, token }) => {
    const { status, errors = [] } = await app.graphql(document, variables, token);
    const isFault =
      status >= 500 || errors.some(({ message, extensions }) => extensions.code === "INTERNAL" || leak.test(message));
    return isFault ? [JSON.stringify({ status, errors, variables }).slice(0, 500)] : [];
  });
  expect(answers.flat()).toEqual([]);
});
