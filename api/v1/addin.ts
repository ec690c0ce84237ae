import { Type } from "typebox";
import {
  activateRules,
  type AddinValues,
  deactivateByAddinRules,
  heartbeatRules,
  leaseRules,
  usageRules,
  validateRules,
} from "#schema/rules/protocol.ts";
import { activateDevice } from "#api/licensing/devices/activate-device.ts";
import { deactivateByAddin } from "#api/licensing/devices/deactivate-device.ts";
import { heartbeat } from "#api/licensing/leases/heartbeat.ts";
import { releaseLease } from "#api/licensing/leases/release-lease.ts";
import { takeLease } from "#api/licensing/leases/take-seat.ts";
import { addinShapes } from "#api/licensing/licences/addin-shapes.ts";
import { validateLicence } from "#api/licensing/licences/validate-licence.ts";
import { recordUsage } from "#api/licensing/usage/record-usage.ts";
import { named } from "#api/platform/json-shapes.ts";
import { sandboxKeysOf } from "#api/platform/sandbox-keys.ts";
import { exampleAnswer, exampleDone, exampleIds, exampleQuestion, exampleSeatCode } from "./examples.ts";
import { defineRoute, type RouteCall } from "./frame.ts";
import type { SandboxCall } from "#schema/sandbox-codes.ts";
import type { Context } from "#api/platform/context.ts";
import { addinJson } from "#api/licensing/licences/addin.json.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { answerSandbox } from "#api/licensing/sandbox/answer-sandbox.ts";
import { isSandboxCode } from "#api/licensing/sandbox/sandbox-licence.ts";

const tag = "Add-in";

const leased = {
  ...exampleAnswer,
  data: {
    ...exampleAnswer.data,
    licence: { ...exampleAnswer.data.licence, licenceType: 3, licenceActivationType: 2 },
    lease: {
      id: exampleIds.lease,
      expiresAtUtc: "2025-03-05T01:30:00.000Z",
      heartbeatIntervalMinutes: 15,
      inUse: 2,
      seats: 5,
    },
    validateAfterUtc: "2025-03-05T01:30:00.000Z",
    graceUntilUtc: "2025-03-05T01:30:00.000Z",
  },
};

const machineToken = "pT2kqV…";
const seatQuestion = { ...exampleQuestion, licenceCode: exampleSeatCode };

const signingKeys = named("SigningKeys", {
  keys: Type.Array(
    Type.Object({
      kty: Type.Literal("EC"),
      crv: Type.Literal("P-256"),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      use: Type.Literal("sig"),
      alg: Type.Literal("ES256"),
    }),
  ),
});

const exampleKey = (kid: string) => ({
  keys: [{ kty: "EC", crv: "P-256", x: "f83OJ3D2…", y: "x_FEzRu9…", kid, use: "sig", alg: "ES256" }],
});

/** The add-in's protocol (`docs/addin.md`): a refusal is an answer with 200. */
export const addinRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/licence/activate",
    allow: "everyone",
    tag,
    summary: "Give this machine a place on a licence; again, the same place and token",
    body: activateRules,
    bodyExample: exampleQuestion,
    answer: addinShapes.activate,
    example: { ...exampleAnswer, data: { ...exampleAnswer.data, machineToken } },
    handler: answering("activate", activateDevice),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/validate",
    allow: "everyone",
    tag,
    summary: "May I run? Once a day from each activated machine",
    body: validateRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...exampleQuestion, machineToken, features: ["schedule"] },
    answer: addinShapes.validate,
    example: exampleAnswer,
    handler: answering("validate", validateLicence),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/lease",
    allow: "everyone",
    tag,
    summary: "Take a seat of a concurrent licence for a session of the add-in; again, the same seat",
    body: leaseRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...seatQuestion, machineToken, sessionId: "winproj-4711" },
    answer: addinShapes.lease,
    example: leased,
    handler: answering("lease", takeLease),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/heartbeat",
    allow: "everyone",
    tag,
    summary: "Keep the seat; with every check of a validation",
    body: heartbeatRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...seatQuestion, machineToken, leaseId: exampleIds.lease },
    answer: addinShapes.lease,
    example: leased,
    handler: answering("heartbeat", heartbeat),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/release",
    allow: "everyone",
    tag,
    summary: "Give the seat back; repeated, the same answer",
    body: heartbeatRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...seatQuestion, machineToken, leaseId: exampleIds.lease },
    answer: addinShapes.release,
    example: exampleDone("The seat was given back.", {}),
    handler: answering("release", releaseLease),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/usage",
    allow: "everyone",
    tag,
    summary: "Report conversions, each once by its id",
    body: usageRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: {
      ...exampleQuestion,
      machineToken,
      events: [{ id: "conv-000181", kind: "conversion", atUtc: "2025-03-05T00:59:30.000Z" }],
    },
    answer: addinShapes.usage,
    example: exampleDone("The use was recorded.", { usageRemaining: 17 }),
    handler: answering("usage", recordUsage),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/deactivate",
    allow: "everyone",
    tag,
    summary: "Give this machine's place back, counted against the owner's limit",
    body: deactivateByAddinRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...exampleQuestion, machineToken, reason: "Device change" },
    answer: addinShapes.deactivate,
    example: exampleDone("The device was deactivated.", { deactivationsRemaining: 2 }),
    handler: answering("deactivate", deactivateByAddin),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/licence/signing-keys",
    allow: "everyone",
    tag,
    summary: "The public keys that verify proofs (JWK set)",
    answer: signingKeys,
    example: exampleKey("1"),
    handler: ({ context }) => context.keys.jwks(),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/licence/sandbox/signing-keys",
    allow: "everyone",
    tag,
    summary: "The public keys that verify the answers to sandbox codes (JWK set); never trusted by an add-in in use",
    answer: signingKeys,
    example: exampleKey("sandbox-1"),
    handler: ({ context }) => sandboxKeysOf(context.keys).jwks(),
  }),
];

/** Answers a machine's question about a licence code; a code of the sandbox by its table (decision 0054). */
export function answering<Body extends AddinValues>(
  call: SandboxCall,
  answer: (context: Context, body: Body) => Promise<LicenceAnswer>,
  sandboxed: (context: Context, body: Body) => Promise<LicenceAnswer> = (context, body) =>
    answerSandbox(context, call, body),
) {
  return async ({ context, body }: Pick<RouteCall<Body>, "context" | "body">) =>
    addinJson(context, body, await (isSandboxCode(body.licenceCode) ? sandboxed : answer)(context, body));
}
