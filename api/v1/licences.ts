import { Type } from "typebox";
import { customerStaff } from "#schema/staff-roles.ts";
import { ResultCode } from "#schema/result-code.ts";
import { deactivateMachineRules } from "#schema/device.ts";
import { offlineActivationRules } from "#schema/protocol.ts";
import { AppError } from "#api/platform/errors.ts";
import { activateOffline } from "#api/licensing/devices/activate-offline.ts";
import { deactivateDevice } from "#api/licensing/devices/deactivate-device.ts";
import { toDeviceJson, deviceShape } from "#api/licensing/devices/device.json.ts";
import { listDevices } from "#api/licensing/devices/list-devices.ts";
import { toLicenceJson, licenceShape } from "#api/licensing/licences/licence.json.ts";
import { listLicences } from "#api/licensing/licences/list-licences.ts";
import { describedText } from "#api/platform/http/json-types.ts";
import { exampleIds, exampleLicence, exampleRequest } from "./examples.ts";
import { defineRoute } from "./define-route.ts";
import { param } from "./param.ts";

const tag = "Licences";

/** Calls for a customer's licences and devices. */
export const licenceRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/licence/:id",
    params: { id: param.self },
    allow: { audience: "signedIn", roles: customerStaff, scope: "licences:read" },
    tag,
    summary: "List the licences of a user. `id` is the user's id",
    response: Type.Array(licenceShape),
    example: [exampleLicence],
    handler: async ({ context, params }) => {
      return (await listLicences(context, params.id ?? "")).map((licence) => toLicenceJson(context, licence));
    },
  }),
  defineRoute({
    method: "GET",
    url: "/v1/licence/machines/:licenceId",
    params: { licenceId: param.licence },
    allow: { audience: "signedIn", roles: customerStaff, scope: "licences:read" },
    tag,
    summary: "List the active devices of a licence",
    response: Type.Array(deviceShape),
    example: [
      {
        id: exampleIds.device,
        tempId: exampleIds.device,
        machineName: "PLANNING-07",
        lastSeenDateTimeUtc: "2025-03-05T01:00:00.000Z",
        activatedDateTimeUtc: "2025-01-20T22:15:00.000Z",
      },
    ],
    handler: async ({ context, params }) => (await listDevices(context, params.licenceId ?? "")).map(toDeviceJson),
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/licence/machine/:tempId/deactivate",
    params: { tempId: param.device },
    operation: "Mutation.deactivateDevice",
    tag,
    summary:
      "Deactivate a device. Returns 1 deactivated, 2 failed, 3 deactivation limit reached, or 25 locked by a licence file",
    body: deactivateMachineRules,
    bodyExample: { machineName: "PLANNING-07", reason: "Device change" },
    response: Type.Integer({
      enum: [1, 2, 3, 25],
      description: "1 deactivated, 2 failed, 3 deactivation limit reached, 25 locked by a licence file",
    }),
    example: 1,
    handler: async ({ context, params, body }) => {
      const { code } = await deactivateDevice(context, { deviceId: params.tempId ?? "", ...body });
      return ResultCode[code];
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/offline",
    operation: "Mutation.activateOffline",
    tag,
    summary:
      "Activate a device offline. Takes the request file of a device without a connection and returns a licence file. A refusal returns 409 with the reason",
    body: offlineActivationRules,
    bodyExample: { requestFile: JSON.stringify(exampleRequest) },
    errors: ["CONFLICT", "NOT_FOUND"],
    response: describedText("Content of the licence file"),
    example: "-----BEGIN LICENCE FILE-----\neyJhbGciOiJFUzI1NiIs…\n-----END LICENCE FILE-----\n",
    handler: async ({ context, body }) => {
      const { file, message } = await activateOffline(context, body);
      if (!file) throw new AppError("CONFLICT", { message });
      return file.text;
    },
  }),
];
