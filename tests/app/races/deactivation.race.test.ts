import { expect, test } from "vitest";
import { Deactivation } from "#api/licensing/devices/deactivation.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { toMachine, buildRequest } from "#tests/factories/addin.ts";
import { createDevice, createLicence, getMachineToken } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const AT_ONCE = 50;
const reason = "Device change";

test("deactivates a device once and counts it once for 50 concurrent requests from the portal and the add-in", async () => {
  for (let round = 0; round < 3; round++) {
    const user = await createUser(app, { annualDeactivationLimit: 1_000 });
    const token = await signInAs(app, user);
    const licence = await createLicence(app, user);
    const device = await createDevice(app, licence);
    const inPortal = () => call("PUT", `/v1/licence/machine/${device.id}/deactivate`, { reason }, token);
    const inAddin = () =>
      call("POST", "/v1/licence/deactivate", {
        ...buildRequest(app, licence.licenceCode, { machine: toMachine(device) }),
        machineToken: getMachineToken(app, device),
        reason,
      });
    const answers = await Promise.all(
      // Requests alternate between the two processes, so switching the kind every four requests sends both kinds to both.
      Array.from({ length: AT_ONCE }, (_, n) => (n % 8 < 4 ? inPortal() : inAddin())),
    );
    const codes = answers.map(({ json }) => json.data?.resultCode ?? json);
    expect(codes.filter((code) => code === 1)).toHaveLength(1);
    expect(codes.filter((code) => code === 2 || code === 21)).toHaveLength(AT_ONCE - 1);
    expect(await app.services.orm.em.fork().count(Deactivation, { user: user.id })).toBe(1);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);
  }
}, 180_000);

test("never exceeds the annual deactivation limit with 20 concurrent deactivations", async () => {
  for (let round = 0; round < 6; round++) {
    const user = await createUser(app, { annualDeactivationLimit: 3 });
    const token = await signInAs(app, user);
    const licence = await createLicence(app, user, { numberOfMachines: 20 });
    const devices = [];
    for (let n = 0; n < 20; n++) devices.push(await createDevice(app, licence));
    const answers = await Promise.all(
      devices.map(({ id }) => call("PUT", `/v1/licence/machine/${id}/deactivate`, { reason }, token)),
    );
    const codes = answers.map(({ json }) => json);
    expect(codes.filter((code) => code === 1)).toHaveLength(3);
    expect(codes.filter((code) => code === 3)).toHaveLength(17);
    expect(await app.services.orm.em.fork().count(Device, { licence: licence.id, freedAt: null })).toBe(17);
  }
}, 180_000);
