import { expect, test } from "vitest";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ production: true });

const introspection = "{ __schema { queryType { name } } }";

test("allows introspection for signed-in users but not for visitors", async () => {
  for (const query of [
    introspection,
    '{ __type(name: "User") { name } }',
    "{ ...A } fragment A on Query { __schema { __typename } }",
  ]) {
    const { status, data, errors } = await app.graphql(query);
    expect(status).toBe(400);
    expect(data).toBeFalsy();
    expect(errors?.[0]?.message).toBe("Sign in to use introspection. The schema is available at /playground/.");
  }
  for (const user of [await createUser(app), await createAdmin(app)]) {
    const { data } = await app.graphql(introspection, {}, await signInAs(app, user));
    expect(data.__schema.queryType.name).toBe("Query");
  }
});

test("serves nothing under /dev", async () => {
  for (const path of ["/dev/mail", "/dev/mail.json", "/dev/mail/preview"])
    expect((await app.rest("GET", path)).status).toBe(404);
  expect((await app.rest("POST", "/dev/clock", { body: { advanceSeconds: 60 } })).status).toBe(404);
});

test("sends HSTS", async () => {
  const { headers } = await app.rest("GET", "/health/live");
  expect(headers.get("strict-transport-security")).toMatch(/max-age=\d+/);
});

test("turns off browser features that no page uses", async () => {
  const { headers } = await app.rest("GET", "/health/live");
  const policy = (headers.get("permissions-policy") ?? "").split(", ");
  for (const unused of ["camera", "microphone", "geolocation", "usb"]) expect(policy).toContain(`${unused}=()`);
  expect(policy).toContain("publickey-credentials-get=(self)");
});

test("allows videos, fonts and the manifest only from this server", async () => {
  const { headers } = await app.rest("GET", "/health/live");
  const policy = (headers.get("content-security-policy") ?? "").split(";");
  for (const kind of ["default-src", "media-src", "font-src", "manifest-src"])
    expect(policy).toContain(`${kind} 'self'`);
});

const getPolicy = async (app: Awaited<ReturnType<typeof startTestApp>>) =>
  (await app.rest("GET", "/health/live")).headers.get("content-security-policy") ?? "";

test("allows the analytics hosts only if a tag is configured", async () => {
  const without = await getPolicy(app);
  expect(without).toContain("script-src 'self'");
  expect(without).not.toMatch(/google/);
  const tagged = await getPolicy(await startTestApp({ analyticsTagId: "G-TEST12345" }));
  expect(tagged).toMatch(/script-src [^;]*https:\/\/www\.googletagmanager\.com/);
  expect(tagged).not.toMatch(/script-src [^;]*'unsafe-inline'/);
});
