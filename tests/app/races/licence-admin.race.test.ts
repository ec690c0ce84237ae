import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { takeLease } from "#api/licensing/leases/take-seat.ts";
import { deactivateLicence } from "#api/licensing/licences/deactivate-licence.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { updateLicence } from "#api/licensing/licences/update-licence.ts";
import { validateLicence } from "#api/licensing/licences/validate-licence.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { toMachine, buildRequest } from "#tests/factories/addin.ts";
import { createConcurrentLicence, createDevice, createLicence, getMachineToken } from "#tests/factories/licence.ts";
import { createCorporateUser, createUser } from "#tests/factories/user.ts";
import { retryUntilDone } from "#tests/support/retry.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const processes = [app.services, await openSecondProcess(app)];
const ROUNDS = 20;
const em = () => app.services.orm.em.fork();

let turn = 0;
const anyProcess = () => createContext(processes[turn++ % processes.length] as Services);

test("ends all seats and rejects checks after a licence is deactivated while its devices send requests", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createCorporateUser(app);
    const licence = await createConcurrentLicence(app, user);
    const device = await createDevice(app, licence);
    const toRequest = (more: object = {}) =>
      ({
        ...buildRequest(app, licence.licenceCode, {
          machine: toMachine(device),
          machineToken: getMachineToken(app, device),
        }),
        clientTimeUtc: app.clock.now(),
        ...more,
      }) as never;
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) =>
        retryUntilDone(() => takeLease(anyProcess(), toRequest({ sessionId: `session-${n}` }))),
      ),
      ...Array.from({ length: 4 }, () => retryUntilDone(() => validateLicence(anyProcess(), toRequest()))),
      ...[1, 2].map(() =>
        retryUntilDone(() => deactivateLicence(anyProcess(), user.id, licence.id)).then(() => ({ code: "VALID" })),
      ),
    ]);
    const refused = new Set(answers.map(({ code }) => code));
    for (const code of refused) expect(["VALID", "LICENCE_REVOKED", "NO_SEATS_AVAILABLE"]).toContain(code);
    expect(await em().count(Lease, { licence: licence.id, endedAt: null })).toBe(0);
    expect((await retryUntilDone(() => validateLicence(anyProcess(), toRequest()))).code).toBe("LICENCE_REVOKED");
    expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "revoke" })).toBe(1);
    expect(await em().count(AuditEntry, { subjectId: licence.id })).toBe(1);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);
  }
}, 120_000);

test("saves one of ten concurrent updates of the same revision and reports a conflict to the other nine", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    const licence = await createLicence(app, user);
    const { expiresAt, licenceCategory } = licence;
    const began = { expiresAt, licenceCategory, purchaseOrderNumber: null, projectTerm: null };
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        retryUntilDone(() =>
          updateLicence(
            anyProcess(),
            user.id,
            licence.id,
            {
              licenceCategory: 1,
              expiryDate: addMilliseconds(licence.expiresAt, (n + 1) * DAY),
              purchaseOrderNumber: `PO-${n}`,
              projectTerm: undefined,
            },
            began,
          ),
        ).then(
          () => "done",
          (error: unknown) => (error as AppError).code,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "CONFLICT")).toHaveLength(9);
    expect(await em().count(AuditEntry, { subjectId: licence.id })).toBe(1);
    expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "extend" })).toBe(1);
  }
}, 120_000);
