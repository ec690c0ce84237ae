import { expect, test } from "vitest";
import { callAddin, buildMachine } from "#tests/factories/addin.ts";
import { createExpiredLicence, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

test("sends at most three emails an hour for a licence, even for concurrent requests from different machines", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner);
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => callAddin(app, "move/code", licence, { machine: buildMachine() })),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(7);
  expect(await listEmailsTo(app, owner.email)).toHaveLength(3);
});

test("does not count refusals that send no email", async () => {
  const licence = await createExpiredLicence(app, await createUser(app));
  for (let n = 0; n < 5; n++) expect((await callAddin(app, "move/code", licence)).json.data.resultCode).toBe(14);
});
