import { expect, test } from "vitest";
import { measureLeaks } from "#api/licensing/leaks/measure-leaks.ts";
import { reissueLicenceCode } from "#api/licensing/leaks/leak.resolver.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { ROUNDS } from "#tests/support/crowds.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { retryUntilDone, retryUntilServed } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const processes = [app.services, await openSecondProcess(app)];
const contextOf = (index: number) => createContext(processes[index % 2] as Services);

test("of concurrent re-issues one succeeds, with one email, and the old code never works afterwards", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const user = await createUser(app);
    const licence = await createLicence(app, user);
    const device = await createDevice(app, licence);
    await app.services.pool.query(
      `insert into licence_events (at, last_at, kind, result_code, licence_id, machine_name, ip)
       select now(), now(), 'activate', 22, $1, 'PC-' || n, '203.0.' || n || '.7' from generate_series(1, 20) n`,
      [licence.id],
    );
    const reissues = Array.from({ length: 6 }, (_, index) =>
      retryUntilDone(() => reissueLicenceCode(contextOf(index), user.id, licence.id)).then(
        () => "done",
        (error: { code?: string }) => error.code ?? "failed",
      ),
    );
    const checks = Array.from({ length: 6 }, () =>
      retryUntilServed(() => callAddinFrom(app, device, "validate", licence)),
    );
    const measured = [0, 1].map((index) => retryUntilDone(() => measureLeaks.run(contextOf(index))));
    expect((await Promise.all(reissues)).toSorted()).toEqual([...Array(5).fill("CONFLICT"), "done"]);
    for (const { json } of await Promise.all(checks)) expect([1, 10]).toContain(json.data.resultCode);
    await Promise.all(measured);
    expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(10);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);
    const { rows } = await app.services.pool.query("select listed_at from leak_measurements where licence_id = $1", [
      licence.id,
    ]);
    expect(rows).toEqual([{ listed_at: null }]);
  }
});
