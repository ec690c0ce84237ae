import { expect, test } from "vitest";
import { createContact } from "#tests/factories/contact.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { statementsOf } from "#tests/support/count-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const query = `query Page($limit: Int!) {
  users(filter: { limit: $limit }) {
    total
    rows { id email hasActiveSubscription contacts { email } blockedMachines { machineName } licences { licenceCode devices { machineName } } }
  }
}`;

test("users → contacts, licences → devices costs one statement a relation, whatever the page size", async () => {
  for (let n = 0; n < 30; n++) {
    const user = await createUser(app);
    await createContact(app, user);
    for (let l = 0; l < 2; l++) {
      const licence = await createLicence(app, user, { numberOfMachines: 5 });
      await createDevice(app, licence);
      await createDevice(app, licence);
    }
  }
  const token = await signInAs(app, await createAdmin(app));
  const costOf = async (limit: number) => {
    let rows = 0;
    const statements = await statementsOf(async () => {
      const { data, errors } = await app.graphql(query, { limit }, token);
      expect(errors).toBeUndefined();
      rows = data.users.rows.length;
      expect(data.users.rows.at(-1).licences[1].devices).toHaveLength(2);
    });
    expect(rows).toBe(limit);
    return statements;
  };
  await costOf(2);
  const [few, many] = [await costOf(2), await costOf(25)];
  expect(many.length).toBe(few.length);
  // session check, users, total, contacts, blocked machines, licences, devices, subscriptions
  expect(many.length).toBeLessThanOrEqual(8);
});
