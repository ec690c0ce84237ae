import { heartbeatStatement } from "#api/licensing/leases/heartbeat.ts";
import { askedRow } from "#api/licensing/licences/licence-standing.ts";
import { levelsWithFeatures } from "#api/licensing/licences/licence-status.ts";
import { validationStatement } from "#api/licensing/licences/validate-licence.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { type AskingDevice, idOf } from "./population.ts";

/** One call of the add-in that the product is measured with, beside the same work done by others. */
export interface Contest {
  readonly name: string;
  /** Path of the call. */
  readonly path: string;
  /** Kind of the event that each answer leaves. */
  readonly kind: string;
  /** The statement the product runs, with one parameter: the questions as a jsonb list. */
  readonly statement: string;
  /** Whether a device can ask this successfully. */
  readonly suits: (device: AskingDevice) => boolean;
  /** The body that the add-in of a device sends. */
  readonly body: (device: AskingDevice) => object;
  /** The same question as a row of the statement's list. */
  readonly row: (device: AskingDevice) => object;
}

// Bodies are made once: late in a long run, answers may warn that the asker's clock is off.
const startedAt = new Date();

/** The part of a body that every call of an activated machine has. */
function question({ n, licenceCode, machine, machineToken }: AskingDevice) {
  const versions = { addInVersion: "7.2.0", hostVersion: "16.0.17328" };
  const nonce = `bench-nonce-of-device-${n}`;
  return { licenceCode, nonce, clientTimeUtc: startedAt, ...versions, machine, machineToken };
}

/** The part of a row that every statement has, made as the product makes it. */
function row(device: AskingDevice) {
  const asker = {
    clock: { now: () => new Date() },
    origin: { requestId: "bench", ip: "127.0.0.1", userAgent: "" },
  };
  return {
    ...askedRow(asker, device.licenceCode, question(device)),
    n: 0,
    token_hash: hashSecret(device.machineToken),
    levels_with_features: levelsWithFeatures([]),
  };
}

/** 'May I run?', once a day from every machine. */
export const validation: Contest = {
  name: "licence/validate",
  path: "/v1/licence/validate",
  kind: "validate",
  statement: validationStatement.text,
  suits: () => true,
  body: question,
  row,
};

/** 'My seat is in use', every few minutes from every machine of a concurrent licence: every other one of the seed. */
export const heartbeat: Contest = {
  name: "licence/heartbeat",
  path: "/v1/licence/heartbeat",
  kind: "heartbeat",
  statement: heartbeatStatement.text,
  suits: ({ n }) => n % 2 === 0,
  body: (device) => ({ ...question(device), leaseId: idOf("lease", device.n) }),
  row: (device) => ({ ...row(device), lease_id: idOf("lease", device.n) }),
};
