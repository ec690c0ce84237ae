import { addinRules, moveDevicesRules } from "#schema/protocol.ts";
import { listMovableDevices } from "#api/licensing/move-codes/list-movable-devices.ts";
import { sendMoveCode } from "#api/licensing/move-codes/send-move-code.ts";
import { answerSandboxMove } from "#api/licensing/sandbox/answer-sandbox-move.ts";
import { createLicenceHandler } from "./addin.ts";
import { addinShapes } from "#api/licensing/licences/addin-shapes.ts";
import { createDoneExample, exampleIds, exampleRequest } from "./examples.ts";
import { defineRoute } from "./define-route.ts";

const tag = "Add-in";

/**
 * Calls for 'Move my licence here'. The add-in sends both before an `activate` that replaces a device
 * (`docs/addin.md`).
 */
export const moveRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/licence/move/code",
    allow: { audience: "everyone", scope: "open" },
    tag,
    summary:
      "Send a move code. Emails the licence's owner a code for a device that can't be activated because the licence is full",
    body: addinRules,
    bodyExample: exampleRequest,
    response: addinShapes.moveCode,
    example: createDoneExample("We have sent a code to a•••@d•••.test. It is good for 10 minutes.", {}),
    handler: createLicenceHandler("move", sendMoveCode, answerSandboxMove),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/move/devices",
    allow: { audience: "everyone", scope: "open" },
    tag,
    summary:
      "List the devices that can be replaced. Requires the code from the email. To replace a device, activate with `replaceMachineId`",
    body: moveDevicesRules,
    bodyExample: { ...exampleRequest, emailCode: "482913" },
    response: addinShapes.moveDevices,
    example: createDoneExample("These devices are activated on the licence.", {
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
