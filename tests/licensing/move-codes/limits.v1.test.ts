import { expect, test } from "vitest";
import { ask, machine } from "#tests/factories/addin.ts";
import { createExpiredLicence, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

test("three mails an hour are written about a licence, however many ask at once and from whichever machines", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ask(app, "move/code", licence, { machine: machine() })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  expect(await mailsTo(app, owner.email)).toHaveLength(3);
});

test("a refusal that mails nobody counts for nothing", async () => {
  const licence = await createExpiredLicence(app, await createUser(app));
  for (let n = 0; n < 5; n++) expect((await ask(app, "move/code", licence)).json.data.resultCode).toBe(14);
});
