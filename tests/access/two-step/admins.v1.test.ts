import { getNamedType, isObjectType } from "graphql";
import { describe, expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { readConfig } from "#api/config.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { TWO_STEP_REQUIRED } from "#schema/error-codes.ts";
import { addAuthenticator } from "#tests/factories/two-step.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ adminTwoStepRequired: true });
const schema = buildGraphqlSchema();
const first = await createAdmin(app);
const admin = await signInAs(app, first);

const operations = Object.entries(permissions.operations).map(([row, { audience }]) => [row, audience] as const);
const isOpen = (audience: unknown) => audience === "everyone" || audience === "anySession";

describe("an admin who must set up two-step sign-in", () => {
  test("gets the reason from both APIs", async () => {
    expect((await app.graphql("users { total }", {}, admin)).errors?.[0]).toMatchObject({
      message: TWO_STEP_REQUIRED,
      extensions: { code: "FORBIDDEN", reason: "SET_UP_TWO_STEP" },
    });
    const { json } = await app.rest("GET", "/v1/core/accounts/x/profile", { token: admin });
    expect(json.Message).toBe(TWO_STEP_REQUIRED);
  });

  test("can't reach closed fields through open ones", () => {
    // Open fields must lead only to open types.
    for (const [row] of operations.filter(([, audience]) => audience === "anySession")) {
      const [typeName = "", fieldName = ""] = row.split(".");
      const type = schema.getType(typeName);
      if (!isObjectType(type)) continue;
      const leadsTo = getNamedType(type.getFields()[fieldName]?.type as never);
      if (isObjectType(leadsTo)) expect([row, isOpen(permissions.types[leadsTo.name]?.audience)]).toEqual([row, true]);
    }
    expect(operations.filter(([, audience]) => !isOpen(audience)).length).toBeGreaterThan(20);
  });

  test("can sign out and refresh", async () => {
    const token = await signInAs(app, await createAdmin(app));
    const { sid } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sid: string };
    expect((await app.graphql("signOut { id }", {}, token)).data).toEqual({ signOut: { id: sid } });
    expect((await app.graphql("me { id }", {}, token)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
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

test("gives only the first admin 7 days to set up two-step sign-in, if so configured", async () => {
  const { config } = app.services as { config: { firstAdminGraceDays: number } };
  const isRestricted = async (user: User) => {
    const { data, errors } = await app.graphql("softwareChannels { stage }", {}, await signInAs(app, user));
    if (!errors) expect(data.softwareChannels).toHaveLength(6);
    else expect(errors[0]?.extensions).toMatchObject({ reason: "SET_UP_TWO_STEP" });
    return errors !== undefined;
  };
  config.firstAdminGraceDays = 7;
  app.clock.setOffset(DAY);
  const colleague = await createAdmin(app);
  expect([await isRestricted(first), await isRestricted(colleague)]).toEqual([false, true]);
  app.clock.setOffset(8 * DAY);
  expect(await isRestricted(first)).toBe(true);
  await addAuthenticator(app, first);
  expect(await isRestricted(first)).toBe(false);
});

test("ADMIN_TWO_STEP accepts only optional, required and passkey, and defaults to optional", () => {
  expect(readConfig({ NODE_ENV: "test" }).adminTwoStepRequired).toBe(false);
  expect(readConfig({ NODE_ENV: "test", ADMIN_TWO_STEP: "required" }).adminTwoStepRequired).toBe(true);
  expect(() => readConfig({ NODE_ENV: "test", ADMIN_TWO_STEP: "yes" })).toThrow(
    "ADMIN_TWO_STEP must be required, passkey or optional.",
  );
});
