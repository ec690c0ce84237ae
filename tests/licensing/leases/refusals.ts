import { blockMachine } from "#tests/factories/licence.ts";
import type { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** A concurrent licence with a device, as a test's starting point. */
export interface RefusalScenario {
  readonly app: TestApp;
  readonly owner: User;
  readonly licence: Licence;
  readonly device: Device;
}

const licence =
  (assignment: string) =>
  ({ app, licence: { id } }: RefusalScenario) =>
    app.services.pool.query(`update licences set ${assignment} where id = $1`, [id]);

/**
 * States that refuse a validation, a lease and a heartbeat alike: description, change, result code, and what the
 * machine reports.
 */
export const refusals: readonly [
  state: string,
  code: number,
  turn: (story: RefusalScenario) => Promise<unknown>,
  machine?: Record<string, unknown>,
][] = [
  [
    "with an archived owner",
    11,
    ({ app, owner }) => app.services.pool.query("update users set archived_at = now() where id = $1", [owner.id]),
  ],
  ["that is revoked", 12, licence("revoked_at = now()")],
  ["that is suspended", 13, licence("suspended_at = now()")],
  ["that has expired", 14, licence("expires_at = now() - interval '1 second'")],
  ["with a blocked device", 20, ({ app, owner, device }) => blockMachine(app, owner, device.machineName)],
  [
    "with a deactivated device",
    21,
    ({ app, device }) => app.services.pool.query("update devices set freed_at = now() where id = $1", [device.id]),
  ],
  ["used on another machine", 23, async () => {}, { fingerprint: "somebody-else" }],
  ["used on a virtual machine", 24, async () => {}, { isVm: true }],
  ["with no usage left", 41, licence("usage_limit = 3, usage_count = 3")],
];
