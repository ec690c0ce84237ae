import { expect, test } from "vitest";
import { takeLease } from "#api/licensing/leases/take-seat.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { changeSeats } from "#api/licensing/licences/change-seats.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { buildRequest, toMachine } from "#tests/factories/addin.ts";
import { createConcurrentLicence, createDevice, getMachineToken } from "#tests/factories/licence.ts";
import { createCorporateUser } from "#tests/factories/user.ts";
import { retryUntilDone } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const processes = [app.services, await openSecondProcess(app)];
const ROUNDS = 20;

let turn = 0;
const anyProcess = () => createContext(processes[turn++ % processes.length] as Services);

test("never gives more seats than a licence allows while its number is reduced", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createCorporateUser(app);
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 4, numberOfMachines: 10 });
    const device = await createDevice(app, licence);
    const takeSeat = (sessionId: string) =>
      takeLease(anyProcess(), {
        ...buildRequest(app, licence.licenceCode, {
          machine: toMachine(device),
          machineToken: getMachineToken(app, device),
        }),
        clientTimeUtc: app.clock.now(),
        sessionId,
      } as never);
    const reduce = () =>
      changeSeats(anyProcess(), user.id, licence.id, {
        numberOfUsers: 2,
        numberOfMachines: 10,
        allowOnVms: false,
      }).then(
        () => 2,
        (error: unknown) => {
          if (error instanceof AppError && error.code === "CONFLICT") return 4;
          throw error;
        },
      );
    const [allowed] = await Promise.all([
      retryUntilDone(reduce),
      ...Array.from({ length: 6 }, (_, n) => retryUntilDone(() => takeSeat(`session-${n}`))),
    ]);
    const taken = await app.services.orm.em.fork().count(Lease, { licence: licence.id, endedAt: null });
    expect(taken).toBe(allowed);
  }
}, 120_000);
