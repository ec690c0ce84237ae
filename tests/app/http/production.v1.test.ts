import { expect, test } from "vitest";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ production: true });

const introspection = "{ __schema { queryType { name } } }";

test("allows introspection for signed-in users but not for visitors", async () => {
  const ofType = '{ __type(name: "User") { name } }';
  const inFragment = "{ ...A } fragment A on Query { __schema { __typename } }";
  for (const query of [introspection, ofType, inFragment]) {
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

test("sends HSTS, turns off unused browser features and allows files only from this server, or analytics with a tag", async () => {
  const { headers } = await app.rest("GET", "/health/live");
  expect(headers.get("strict-transport-security")).toMatch(/max-age=\d+/);
  const permissions = (headers.get("permissions-policy") ?? "").split(", ");
  for (const unused of ["camera", "microphone", "geolocation", "usb"]) expect(permissions).toContain(`${unused}=()`);
  expect(permissions).toContain("publickey-credentials-get=(self)");
  const policy = headers.get("content-security-policy") ?? "";
  for (const kind of ["default-src", "media-src", "font-src", "manifest-src"])
    expect(policy.split(";")).toContain(`${kind} 'self'`);
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/google/);
  const tagging = await startTestApp({ analyticsTagId: "G-TEST12345" });
  const tagged = (await tagging.rest("GET", "/health/live")).headers.get("content-security-policy");
  expect(tagged).toMatch(/script-src [^;]*https:\/\/www\.googletagmanager\.com/);
  expect(tagged).not.toMatch(/script-src [^;]*'unsafe-inline'/);
});
