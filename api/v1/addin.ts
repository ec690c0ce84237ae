import {
  activateRules,
  deactivateByAddinRules,
  heartbeatRules,
  leaseRules,
  usageRules,
  validateRules,
} from "#schema/rules/protocol.ts";
import { activateDevice } from "#api/features/devices/activate-device.ts";
import { deactivateByAddin } from "#api/features/devices/deactivate-device.ts";
import { heartbeat } from "#api/features/leases/heartbeat.ts";
import { releaseLease } from "#api/features/leases/release-lease.ts";
import { takeLease } from "#api/features/leases/take-lease.ts";
import { validateLicence } from "#api/features/licences/validate-licence.ts";
import { recordUsage } from "#api/features/usage/record-usage.ts";
import { sandboxKeysOf } from "#api/platform/sandbox-keys.ts";
import { answering } from "./answering.ts";
import { defineRoute } from "./frame.ts";

const tag = "Add-in";

const answer = {
  data: {
    valid: true,
    resultCode: 1,
    code: "VALID",
    message: "The licence is valid on this device.",
    warnings: ["EXPIRING_SOON"],
    serverTimeUtc: "2025-03-05T01:00:00.000Z",
    licence: {
      id: "0b6f…",
      productLevel: 2,
      licenceType: 1,
      licenceActivationType: 0,
      features: ["schedule", "health-checks", "costs", "resources"],
      expiryDateUtc: "2025-03-10T01:00:00.000Z",
    },
    machine: { id: "5d1c…" },
    validateAfterUtc: "2025-03-06T01:00:00.000Z",
    graceUntilUtc: "2025-03-10T01:00:00.000Z",
  },
  proof: "eyJhbGciOiJFUzI1NiIs…",
};

const leased = {
  ...answer,
  data: {
    ...answer.data,
    licence: { ...answer.data.licence, licenceType: 3, licenceActivationType: 2 },
    lease: {
      id: "7ae2…",
      expiresAtUtc: "2025-03-05T01:30:00.000Z",
      heartbeatIntervalMinutes: 15,
      inUse: 2,
      seats: 5,
    },
    validateAfterUtc: "2025-03-05T01:30:00.000Z",
    graceUntilUtc: "2025-03-05T01:30:00.000Z",
  },
};

/** An answer that lets nothing run: what was asked for is done. */
const done = (message: string, more: object = {}) => ({
  data: {
    valid: true,
    resultCode: 1,
    code: "VALID",
    message,
    warnings: [],
    serverTimeUtc: "2025-03-05T01:00:00.000Z",
    machine: { id: "5d1c…" },
    ...more,
  },
  proof: answer.proof,
});

/** The add-in's protocol (DOMAIN §5, `docs/addin.md`): a refusal is an answer with 200. */
export const addinRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/licence/activate",
    allow: "everyone",
    tag,
    summary: "Give this machine a place on a licence; again, the same place and token",
    body: activateRules,
    answer: { ...answer, data: { ...answer.data, machineToken: "pT2…" } },
    handler: answering("activate", activateDevice),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/validate",
    allow: "everyone",
    tag,
    summary: "May I run? Once a day from each activated machine",
    body: validateRules,
    answer,
    handler: answering("validate", validateLicence),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/lease",
    allow: "everyone",
    tag,
    summary: "Take a seat of a concurrent licence for a session of the add-in; again, the same seat",
    body: leaseRules,
    answer: leased,
    handler: answering("lease", takeLease),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/heartbeat",
    allow: "everyone",
    tag,
    summary: "Keep the seat; with every check of a validation",
    body: heartbeatRules,
    answer: leased,
    handler: answering("heartbeat", heartbeat),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/release",
    allow: "everyone",
    tag,
    summary: "Give the seat back; repeated, the same answer",
    body: heartbeatRules,
    answer: done("The seat was given back."),
    handler: answering("release", releaseLease),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/usage",
    allow: "everyone",
    tag,
    summary: "Report conversions, each once by its id",
    body: usageRules,
    answer: done("The use was recorded.", { usageRemaining: 17 }),
    handler: answering("usage", recordUsage),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/deactivate",
    allow: "everyone",
    tag,
    summary: "Give this machine's place back, counted against the owner's limit",
    body: deactivateByAddinRules,
    answer: done("The device was deactivated.", { deactivationsRemaining: 2 }),
    handler: answering("deactivate", deactivateByAddin),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/licence/signing-keys",
    allow: "everyone",
    tag,
    summary: "The public keys that verify proofs (JWK set)",
    answer: { keys: [{ kty: "EC", crv: "P-256", x: "…", y: "…", kid: "…", use: "sig", alg: "ES256" }] },
    handler: ({ context }) => context.keys.jwks(),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/licence/sandbox/signing-keys",
    allow: "everyone",
    tag,
    summary: "The public keys that verify the answers to sandbox codes (JWK set); never trusted by an add-in in use",
    answer: { keys: [{ kty: "EC", crv: "P-256", x: "…", y: "…", kid: "sandbox-…", use: "sig", alg: "ES256" }] },
    handler: ({ context }) => sandboxKeysOf(context.keys).jwks(),
  }),
];
