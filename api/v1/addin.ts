import {
  activateRules,
  type AddinValues,
  deactivateByAddinRules,
  heartbeatRules,
  leaseRules,
  usageRules,
  validateRules,
  addinRules,
  moveDevicesRules,
} from "#schema/protocol.ts";
import { activateDevice } from "#api/licensing/devices/activate-device.ts";
import { deactivateByAddin } from "#api/licensing/devices/deactivate-device.ts";
import { heartbeat } from "#api/licensing/leases/heartbeat.ts";
import { releaseLease } from "#api/licensing/leases/release-lease.ts";
import { takeLease } from "#api/licensing/leases/take-seat.ts";
import { addinShapes } from "#api/licensing/licences/addin-shapes.ts";
import { validateLicence } from "#api/licensing/licences/validate-licence.ts";
import { recordUsage } from "#api/licensing/usage/record-usage.ts";
import { deriveSandboxKeys } from "#api/platform/keys/sandbox-keys.ts";
import {
  exampleResponse,
  createDoneExample,
  exampleIds,
  exampleRequest,
  exampleSeatCode,
} from "#api/platform/http/route-examples.ts";
import { cachedKeys, exampleKey, publishedKeys } from "#api/platform/keys/signing-keys.ts";
import { type RouteCall, routesOf } from "#api/platform/http/define-route.ts";
import type { SandboxCall } from "#schema/sandbox-codes.ts";
import type { Context } from "#api/platform/context.ts";
import { toAddinResponse } from "#api/licensing/licences/addin.json.ts";
import { doneMessages, type LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { answerSandbox, answerSandboxMove } from "#api/licensing/sandbox/answer-sandbox.ts";
import { isSandboxCode } from "#api/licensing/sandbox/sandbox-licence.ts";
import { listMovableDevices, sendMoveCode } from "#api/licensing/move-codes/send-move-code.ts";

const defineRoute = routesOf("Add-in");

const leased = {
  ...exampleResponse,
  data: {
    ...exampleResponse.data,
    licence: { ...exampleResponse.data.licence, licenceType: 3, licenceActivationType: 2 },
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
const seatRequest = { ...exampleRequest, licenceCode: exampleSeatCode };

/** Calls of the add-in's protocol (`docs/addin.md`). Refusals are sent with status 200. */
export const addinRoutes = [
  defineRoute("POST /v1/licence/activate", {
    allow: { audience: "everyone", scope: "open" },
    summary: "Activate a device on a licence. Repeating the call returns the same device and token",
    body: activateRules,
    bodyExample: exampleRequest,
    response: addinShapes.activate,
    example: { ...exampleResponse, data: { ...exampleResponse.data, machineToken } },
    handler: createLicenceHandler("activate", activateDevice),
  }),
  defineRoute("POST /v1/licence/validate", {
    allow: { audience: "everyone", scope: "open" },
    summary: "Validate a licence. The add-in does this once a day on each activated device",
    body: validateRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...exampleRequest, machineToken, features: ["schedule"] },
    response: addinShapes.validate,
    example: exampleResponse,
    handler: createLicenceHandler("validate", validateLicence),
  }),
  defineRoute("POST /v1/licence/lease", {
    allow: { audience: "everyone", scope: "open" },
    summary:
      "Take a seat. Reserves a seat of a concurrent licence for a session of the add-in. Repeating the call returns the same seat",
    body: leaseRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...seatRequest, machineToken, sessionId: "winproj-4711" },
    response: addinShapes.lease,
    example: leased,
    handler: createLicenceHandler("lease", takeLease),
  }),
  defineRoute("POST /v1/licence/heartbeat", {
    allow: { audience: "everyone", scope: "open" },
    summary: "Renew a seat. Checks the licence in the same way as a validation",
    body: heartbeatRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...seatRequest, machineToken, leaseId: exampleIds.lease },
    response: addinShapes.lease,
    example: leased,
    handler: createLicenceHandler("heartbeat", heartbeat),
  }),
  defineRoute("POST /v1/licence/release", {
    allow: { audience: "everyone", scope: "open" },
    summary: "Release a seat. Repeating the call returns the same response",
    body: heartbeatRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...seatRequest, machineToken, leaseId: exampleIds.lease },
    response: addinShapes.release,
    example: createDoneExample(doneMessages.release, {}),
    handler: createLicenceHandler("release", releaseLease),
  }),
  defineRoute("POST /v1/licence/usage", {
    allow: { audience: "everyone", scope: "open" },
    summary: "Report usage. Conversions with an id that was reported before are ignored",
    body: usageRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: {
      ...exampleRequest,
      machineToken,
      events: [{ id: "conv-000181", kind: "conversion", atUtc: "2025-03-05T00:59:30.000Z" }],
    },
    response: addinShapes.usage,
    example: createDoneExample(doneMessages.usage, { usageRemaining: 17 }),
    handler: createLicenceHandler("usage", recordUsage),
  }),
  defineRoute("POST /v1/licence/deactivate", {
    allow: { audience: "everyone", scope: "open" },
    summary: "Deactivate this device. Counts against the owner's deactivation limit",
    body: deactivateByAddinRules,
    errors: ["UNAUTHENTICATED"],
    bodyExample: { ...exampleRequest, machineToken, reason: "Device change" },
    response: addinShapes.deactivate,
    example: createDoneExample(doneMessages.deactivate, { deactivationsRemaining: 2 }),
    handler: createLicenceHandler("deactivate", deactivateByAddin),
  }),
  defineRoute("GET /v1/licence/signing-keys", {
    allow: { audience: "everyone", scope: "open" },
    summary: "Get the public signing keys. A JWK set for verifying proofs",
    headers: cachedKeys,
    response: publishedKeys,
    example: exampleKey("1"),
    handler: ({ context }) => context.keys.jwks(),
  }),
  defineRoute("GET /v1/licence/sandbox/signing-keys", {
    allow: { audience: "everyone", scope: "open" },
    summary:
      "Get the public sandbox signing keys. A JWK set for verifying responses to sandbox codes. Released add-ins never trust these keys",
    headers: cachedKeys,
    response: publishedKeys,
    example: exampleKey("sandbox-1"),
    handler: ({ context }) => deriveSandboxKeys(context.keys).jwks(),
  }),
];

/** Builds a route handler for requests with a licence code. Each sandbox code gets a fixed response (decision 0054). */
function createLicenceHandler<Body extends AddinValues>(
  call: SandboxCall,
  handle: (context: Context, body: Body) => Promise<LicenceAnswer>,
  handleSandbox: (context: Context, body: Body) => Promise<LicenceAnswer> = (context, body) =>
    answerSandbox(context, call, body),
) {
  return async ({ context, body }: Pick<RouteCall<Body>, "context" | "body">) => {
    const answer = await (isSandboxCode(body.licenceCode) ? handleSandbox : handle)(context, body);
    return toAddinResponse(context, body, answer);
  };
}

/**
 * Calls for 'Move my licence here'. The add-in sends both before an `activate` that replaces a device
 * (`docs/addin.md`).
 */
export const moveRoutes = [
  defineRoute("POST /v1/licence/move/code", {
    allow: { audience: "everyone", scope: "open" },
    summary:
      "Send a move code. Emails the licence's owner a code for a device that can't be activated because the licence is full",
    body: addinRules,
    bodyExample: exampleRequest,
    response: addinShapes.moveCode,
    example: createDoneExample("We have sent a code to a•••@d•••.test. It is good for 10 minutes.", {}),
    handler: createLicenceHandler("move", sendMoveCode, answerSandboxMove),
  }),
  defineRoute("POST /v1/licence/move/devices", {
    allow: { audience: "everyone", scope: "open" },
    summary:
      "List the devices that can be replaced. Requires the code from the email. To replace a device, activate with `replaceMachineId`",
    body: moveDevicesRules,
    bodyExample: { ...exampleRequest, emailCode: "482913" },
    response: addinShapes.moveDevices,
    example: createDoneExample(doneMessages.moveDevices, {
      machines: [
        {
          id: exampleIds.device,
          machineName: "PLANNING-07",
          lastSeenUtc: "2025-03-04T22:15:00.000Z",
          activatedUtc: "2025-01-10T01:00:00.000Z",
        },
      ],
      deactivationsRemaining: 2,
    }),
    handler: createLicenceHandler("move", listMovableDevices, answerSandboxMove),
  }),
];
