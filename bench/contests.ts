import { heartbeatStatement } from "#api/licensing/leases/heartbeat.ts";
import { toRequestRow } from "#api/licensing/licences/licence-checks.ts";
import { levelsWithFeatures } from "#api/licensing/licences/licence-status.ts";
import { validationStatement } from "#api/licensing/licences/validate-licence.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { type BenchDevice, buildRowId } from "./population.ts";

/** An add-in call on which the product is compared with other servers that do the same work. */
export interface Contest {
  readonly name: string;
  /** Path of the call. */
  readonly path: string;
  /** Kind of event that each response records. */
  readonly kind: string;
  /** The statement the product runs. Its parameter is the list of requests as jsonb. */
  readonly statement: string;
  /** Returns whether a device can send this request successfully. */
  readonly canSend: (device: BenchDevice) => boolean;
  /** Builds the body the device's add-in sends. */
  readonly buildBody: (device: BenchDevice) => object;
  /** Builds the same request as a row of the statement's list. */
  readonly buildRow: (device: BenchDevice) => object;
}

// All bodies use the same time, so late in a long run responses may warn about the device's clock.
const startedAt = new Date();

/** Builds the part of a body that all calls from an activated device share. */
function buildBody({ n, licenceCode, machine, machineToken }: BenchDevice) {
  const versions = { addInVersion: "7.2.0", hostVersion: "16.0.17328" };
  const nonce = `bench-nonce-of-device-${n}`;
  return { licenceCode, nonce, clientTimeUtc: startedAt, ...versions, machine, machineToken };
}

/** Builds the part of a row that all statements share, with the product's own code. */
function buildRow(device: BenchDevice) {
  const caller = {
    clock: { now: () => new Date() },
    origin: { requestId: "bench", ip: "127.0.0.1", userAgent: "" },
  };
  return {
    ...toRequestRow(caller, device.licenceCode, buildBody(device)),
    n: 0,
    token_hash: hashSecret(device.machineToken),
    levels_with_features: levelsWithFeatures([]),
  };
}

/** Licence validation, sent once a day by every device. */
export const validation: Contest = {
  name: "licence/validate",
  path: "/v1/licence/validate",
  kind: "validate",
  statement: validationStatement.text,
  canSend: () => true,
  buildBody: buildBody,
  buildRow: buildRow,
};

/** Heartbeat of a seat, sent every few minutes. Every other seeded licence is concurrent. */
export const heartbeat: Contest = {
  name: "licence/heartbeat",
  path: "/v1/licence/heartbeat",
  kind: "heartbeat",
  statement: heartbeatStatement.text,
  canSend: ({ n }) => n % 2 === 0,
  buildBody: (device) => ({ ...buildBody(device), leaseId: buildRowId("lease", device.n) }),
  buildRow: (device) => ({ ...buildRow(device), lease_id: buildRowId("lease", device.n) }),
};
