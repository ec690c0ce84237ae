import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";

const getPolicy = async (app: Awaited<ReturnType<typeof startTestApp>>) =>
  (await app.rest("GET", "/health/live")).headers.get("content-security-policy") ?? "";

test("allows the analytics hosts only if a tag is configured", async () => {
  const without = await getPolicy(await startTestApp());
  expect(without).toContain("script-src 'self'");
  expect(without).not.toMatch(/google/);
  const tagged = await getPolicy(await startTestApp({ analyticsTagId: "G-TEST12345" }));
  expect(tagged).toMatch(/script-src [^;]*https:\/\/www\.googletagmanager\.com/);
  expect(tagged).not.toMatch(/script-src [^;]*'unsafe-inline'/);
});
