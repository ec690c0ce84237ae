import { expect, test } from "vitest";
import { createAccountCalls } from "#tests/factories/account.ts";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true, trustedProxies: ["loopback"] });

const { signIn } = createAccountCalls(app);

const token = async (ip: string, email: string, password: string) =>
  (await signIn(email, password, "portal", { "x-forwarded-for": ip })).status;

test("signs in ten owners from other IP addresses while one address sends 80 wrong passwords", async () => {
  const owners = await Promise.all(Array.from({ length: 10 }, () => createUser(app)));
  const junk = Array.from({ length: 80 }, (_, n) => token("198.51.100.66", `junk-${n}@example.com`, "Wrong-pass-1"));
  const signedIn = owners.map(({ email }, n) => token(`203.0.113.${n + 1}`, email, testPassword));
  expect(await Promise.all(signedIn)).toEqual(Array<number>(10).fill(200));

  const statuses = await Promise.all(junk);
  expect(statuses.filter((one) => one === 400).length).toBeLessThanOrEqual(60);
  expect(new Set(statuses)).toEqual(new Set([400, 429, 503].filter((one) => statuses.includes(one))));
  expect(statuses).toContain(429);
}, 60_000);
