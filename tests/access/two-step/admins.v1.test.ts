import { getNamedType, isObjectType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { readConfig } from "#api/config.ts";
import { routes } from "#api/v1/routes.ts";
import { TWO_STEP_REQUIRED } from "#schema/error-codes.ts";
import { addAuthenticator } from "#tests/factories/two-step.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { requestField } from "#tests/support/request-field.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ adminTwoStepRequired: true });
const schema = buildGraphqlSchema();
let admin = "";

beforeAll(async () => {
  admin = await signInAs(app, await createAdmin(app));
});

const operations = Object.entries(permissions.operations).map(([row, { audience }]) => [row, audience] as const);
const shut = operations.filter(([, audience]) => audience !== "everyone" && audience !== "anySession");

describe("an admin who must set up two-step sign-in", () => {
  const rootFields = operations.filter(([row]) => /^(Query|Mutation)\./.test(row));
  test.each(rootFields)("is refused %s unless its audience (%s) is everyone or anySession", async (row, audience) => {
    if (row === "Mutation.signOut") return;
    const { errors } = await requestField(app, schema, row, admin);
    const codes = (errors ?? []).map(({ extensions }) => extensions.code);
    if (audience === "everyone" || audience === "anySession") return expect(codes).not.toContain("FORBIDDEN");
    expect(codes).toEqual(["FORBIDDEN"]);
  });

  test.each(routes.map((route) => [`${route.method} ${route.url}`, route] as const))(
    "is refused %s unless its audience is everyone or anySession",
    async (_name, route) => {
      if (route.allow === "everyone" || route.allow === "anySession") return;
      const path = route.url.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000");
      const { status } = await app.rest(route.method, path, { token: admin });
      expect(status).toBe(403);
    },
  );

  test("gets the reason from both APIs", async () => {
    const { errors } = await app.graphql("{ users { total } }", {}, admin);
    expect(errors?.[0]).toMatchObject({
      message: TWO_STEP_REQUIRED,
      extensions: { code: "FORBIDDEN", reason: "SET_UP_TWO_STEP" },
    });
    const { json } = await app.rest("GET", "/v1/core/accounts/x/profile", { token: admin });
    expect(json.Message).toBe(TWO_STEP_REQUIRED);
  });

  test("can't reach closed fields through open ones", () => {
    // Open fields must lead only to open types.
    const open = operations.filter(([, audience]) => audience === "anySession");
    for (const [row] of open) {
      const [typeName = "", fieldName = ""] = row.split(".");
      const type = schema.getType(typeName);
      if (!isObjectType(type)) continue;
      const leadsTo = getNamedType(type.getFields()[fieldName]?.type as never);
      if (isObjectType(leadsTo))
        expect(["anySession", "everyone"]).toContain(permissions.types[leadsTo.name]?.audience);
    }
    expect(shut.length).toBeGreaterThan(20);
  });

  test("can sign out and refresh", async () => {
    const token = await signInAs(app, await createAdmin(app));
    expect((await app.graphql("mutation { signOut }", {}, token)).data.signOut).toBe(true);
  });
});

test("gives an admin full access on the next request after the setup", async () => {
  const user = await createAdmin(app);
  const { token, recoveryCodes } = await addAuthenticator(app, user);
  expect(recoveryCodes).toHaveLength(10);
  expect((await app.graphql("{ users { total } twoStepSignIn { isRequired } }", {}, token)).data).toMatchObject({
    twoStepSignIn: { isRequired: true },
  });
});

test("doesn't require customers to set up two-step sign-in", async () => {
  const token = await signInAs(app, await createUser(app));
  const { data } = await app.graphql("{ me { id } twoStepSignIn { isRequired } }", {}, token);
  expect(data.twoStepSignIn.isRequired).toBe(false);
});

test("ADMIN_TWO_STEP accepts only optional and required, and defaults to optional", () => {
  expect(readConfig({ NODE_ENV: "test" }).adminTwoStepRequired).toBe(false);
  expect(readConfig({ NODE_ENV: "test", ADMIN_TWO_STEP: "required" }).adminTwoStepRequired).toBe(true);
  expect(() => readConfig({ NODE_ENV: "test", ADMIN_TWO_STEP: "yes" })).toThrow(
    "ADMIN_TWO_STEP must be required or optional.",
  );
});
