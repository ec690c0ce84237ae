import { expect, test } from "vitest";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createTrialLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const ROUNDS = 10;
const AT_ONCE = 20;
const em = () => app.services.orm.em.fork();

test("creates one licence and sends one email for 20 concurrent trial requests of an account", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => call("POST", "/v1/subscriptions/create-trial", undefined, token)),
    );
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array(AT_ONCE - 1).fill(409)]);
    expect(await em().count(Licence, { user: user.id })).toBe(1);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);
  }
}, 180_000);

test("starts one trial for 10 accounts with aliases of one email, across two processes", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const tokens = [];
    for (let n = 0; n < 10; n++)
      tokens.push(await signInAs(app, await createUser(app, { email: `racer${round}+${n}@example.com` })));
    const answers = await Promise.all(
      tokens.map((token) => call("POST", "/v1/subscriptions/create-trial", undefined, token)),
    );
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)]);
  }
}, 180_000);

test("activates one trial on a device that ten accounts activate concurrently, across two processes", async () => {
  const users = [];
  for (let n = 0; n < 10; n++) users.push(await createUser(app));
  for (let round = 0; round < ROUNDS; round++) {
    const me = buildMachine();
    const licences = [];
    for (const user of users) licences.push(await createTrialLicence(app, user));
    const answers = await Promise.all(
      licences.map(({ licenceCode }) =>
        call("POST", "/v1/licence/activate", buildRequest(app, licenceCode, { machine: me })),
      ),
    );
    const codes = answers.map(({ json }) => json.data.resultCode).toSorted((a, b) => a - b);
    expect(codes).toEqual([1, ...Array(9).fill(40)]);
  }
}, 180_000);
