import { expect, test } from "vitest";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

test("the sixth message of an hour from one address is refused with the time to wait, also when all come at once", async () => {
  const body = { name: "Ada", email: "ada@example.com", phone: "0400 000 000", message: "Hello" };
  const send = () => app.rest("POST", "/v1/contact-us/send", { body });
  const answers = await Promise.all(Array.from({ length: 12 }, send));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
  const refused = answers.find((answer) => answer.status !== 200);
  expect(refused?.status).toBe(429);
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await app.context().em.count(ContactMessage, {})).toBe(5);
});
