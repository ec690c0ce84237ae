import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { queueDueWebhooks } from "#api/webhooks/endpoints/sweeps.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { openWebhookCalls } from "#tests/factories/webhook.ts";
import { runOnly } from "#tests/support/run-only.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { findFreePort } from "#tests/support/free-port.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

// The program of the guide that keeps a CRM in step with the portal, as a stranger would run it.

const app = await startTestApp();
const folder = createTemporaryFolder("crm-");
const read = (id: string) => JSON.parse(readFileSync(join(folder, `${id}.json`), "utf8"));

test("copies every customer, then follows what the portal signed", async () => {
  const admin = await createAdmin(app, { staffRoles: ["owner"] });
  const people = await Promise.all(Array.from({ length: 25 }, () => createUser(app)));
  const [grace, ada] = [people[0]!, people[1]!];
  await createContact(app, grace, { firstName: "Jean" });
  await createDevice(app, await createLicence(app, grace), { machineName: "BNE-PLAN-008" });
  const port = await findFreePort();
  const token = await signInAs(app, admin);
  const added = await openWebhookCalls(app).add(
    {
      input: {
        url: `http://localhost:${port}/`,
        description: "CRM",
        eventTypes: ["CONTACT_CREATED", "USER_CHANGED", "USER_ERASED", "LICENCE_REVOKED"],
      },
    },
    token,
  );
  const crm = spawn(process.execPath, ["clients/crm-sync/crm-sync.mjs", folder, String(port)], {
    env: {
      PORTAL_URL: app.url,
      PORTAL_TOKEN: await createTokenWithScopes(app, admin, ["users:read", "licences:read", "billing:read"]),
      WEBHOOK_SECRET: added.data.addWebhookEndpoint.secret,
    },
  });
  const exited = once(crm, "exit");
  let printed = "";
  for (const stream of [crm.stdout, crm.stderr]) stream.on("data", (part) => (printed += String(part)));
  try {
    await expect.poll(() => printed).toContain("copied 25 customers");
    // Staff are no customers, also if an event is about them.
    await openWebhookCalls(app).test({ id: added.data.addWebhookEndpoint.endpoint.id }, token);
    await app.services.jobs.drain();
    await expect.poll(() => printed).toContain(`webhook.test ${admin.id}`);
    expect(readdirSync(folder)).toHaveLength(25);
    const licences = [{ devices: [{ machineName: "BNE-PLAN-008" }] }];
    expect(read(grace.id)).toMatchObject({ contacts: [{ firstName: "Jean" }], licences, invoices: [] });

    const name = { firstName: "Betty", lastName: "Holberton" };
    const input = { ...name, email: "b@example.com", phone: "07 3000 0000", contactType: "ACCOUNTS" };
    await app.call("addContact { id }", { userId: ada.id, input }, token);
    await app.services.jobs.drain();
    expect(printed).toContain(`contact.created ${ada.id}`);
    expect(read(ada.id).contacts).toMatchObject([{ firstName: "Betty" }]);

    // A request that the portal didn't sign changes nothing.
    const body = JSON.stringify({ type: "user.erased", data: { userId: ada.id } });
    const forged = await fetch(`http://localhost:${port}/`, { method: "POST", body });
    expect(forged.status).toBe(400);
    expect(read(ada.id).id).toBe(ada.id);

    // The events of an erasure arrive in any order, here twice.
    const since = app.clock.now().toISOString();
    await app.call("eraseUser { id }", { userId: grace.id }, token);
    await app.services.jobs.drain();
    const { id } = added.data.addWebhookEndpoint.endpoint;
    expect((await app.call("replayWebhookEventsSince { count }", { id, since }, token)).count).toBeGreaterThan(1);
    await runOnly(app, queueDueWebhooks);
    await expect.poll(() => printed.split(`licence.revoked ${grace.id}`)).toHaveLength(3);
    expect(existsSync(join(folder, `${grace.id}.json`))).toBe(false);
  } finally {
    crm.kill();
    await exited;
  }
});
