import { addinRules, moveDevicesRules } from "#schema/rules/protocol.ts";
import { listMovableDevices } from "#api/licensing/move-codes/list-movable-devices.ts";
import { sendMoveCode } from "#api/licensing/move-codes/send-move-code.ts";
import { moveInSandbox } from "#api/licensing/sandbox/move-in-sandbox.ts";
import { answering } from "./addin.ts";
import { addinShapes } from "#api/licensing/licences/addin-shapes.ts";
import { exampleDone, exampleIds, exampleQuestion } from "./examples.ts";
import { defineRoute } from "./frame.ts";

const tag = "Add-in";

/** 'Move my licence here': two calls before an `activate` that replaces a device (`docs/addin.md`). */
export const moveRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/licence/move/code",
    allow: "everyone",
    tag,
    summary: "Mail the licence's owner a code for this machine, which found no place",
    body: addinRules,
    bodyExample: exampleQuestion,
    answer: addinShapes.moveCode,
    example: exampleDone("We have sent a code to a•••@d•••.test. It is good for 10 minutes.", {}),
    handler: answering("move", sendMoveCode, moveInSandbox),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/move/devices",
    allow: "everyone",
    tag,
    summary: "The licence's devices, for the code from the mail; activate with replaceMachineId swaps one",
    body: moveDevicesRules,
    bodyExample: { ...exampleQuestion, emailCode: "482913" },
    answer: addinShapes.moveDevices,
    example: exampleDone("These devices are activated on the licence.", {
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
    handler: answering("move", listMovableDevices, moveInSandbox),
  }),
];
