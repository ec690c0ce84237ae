import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";

const policyOf = async (app: Awaited<ReturnType<typeof startTestApp>>) =>
  (await app.rest("GET", "/health/live")).headers.get("content-security-policy") ?? "";

test("the hosts of analytics are in the policy only where a tag is set", async () => {
  const without = await policyOf(await startTestApp());
  expect(without).toContain("script-src 'self'");
  expect(without).not.toMatch(/google/);
  const tagged = await policyOf(await startTestApp({ analyticsTagId: "G-TEST12345" }));
  expect(tagged).toMatch(/script-src [^;]*https:\/\/www\.googletagmanager\.com/);
  expect(tagged).not.toMatch(/script-src [^;]*'unsafe-inline'/);
});
