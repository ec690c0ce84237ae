import { moveDevicesRules } from "#schema/rules/move-code.ts";
import { addinRules } from "#schema/rules/protocol.ts";
import { listMovableDevices } from "#api/features/move-codes/list-movable-devices.ts";
import { sendMoveCode } from "#api/features/move-codes/send-move-code.ts";
import { moveInSandbox } from "#api/features/sandbox/move-in-sandbox.ts";
import { answering } from "./answering.ts";
import { defineRoute } from "./frame.ts";

const tag = "Add-in";

const done = { valid: true, resultCode: 1, code: "VALID" };
const rest = { warnings: [], serverTimeUtc: "2025-03-05T01:00:00.000Z" };
const proof = "eyJhbGciOiJFUzI1NiIs…";

/** 'Move my licence here': two calls before an `activate` that replaces a device (`docs/addin.md`). */
export const moveRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/licence/move/code",
    allow: "everyone",
    tag,
    summary: "Mail the licence's owner a code for this machine, which found no place",
    body: addinRules,
    answer: {
      data: { ...done, message: "We have sent a code to a•••@d•••.test. It is good for 10 minutes.", ...rest },
      proof,
    },
    handler: answering("move", sendMoveCode, moveInSandbox),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/move/devices",
    allow: "everyone",
    tag,
    summary: "The licence's devices, for the code from the mail; activate with replaceMachineId swaps one",
    body: moveDevicesRules,
    answer: {
      data: {
        ...done,
        message: "These devices are activated on the licence.",
        ...rest,
        machines: [
          {
            id: "5d1c…",
            machineName: "PLANNING-07",
            lastSeenUtc: "2025-03-04T22:15:00.000Z",
            activatedUtc: "2025-01-10T01:00:00.000Z",
          },
        ],
        deactivationsRemaining: 2,
      },
      proof,
    },
    handler: answering("move", listMovableDevices, moveInSandbox),
  }),
];
