import { expect, test } from "vitest";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

test("rejects the sixth message from one IP address in an hour with a Retry-After header, even for concurrent requests", async () => {
  const body = { name: "Ada", email: "ada@example.com", phone: "0400 000 000", message: "Hello" };
  const send = () => app.rest("POST", "/v1/contact-us/send", { body });
  const responses = await Promise.all(Array.from({ length: 12 }, send));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  const rejected = responses.find(({ status }) => status !== 200);
  expect(rejected?.status).toBe(429);
  expect(Number(rejected?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await app.context().em.count(ContactMessage, {})).toBe(5);
});
