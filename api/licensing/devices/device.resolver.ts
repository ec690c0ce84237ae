import { Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { messageOfResultCode, ResultCode, type ResultCodeName, resultCodes } from "#schema/result-code.ts";
import { deactivateDeviceInputRules, deactivateMachineRules } from "#schema/device.ts";
import { Allow, createType, field } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { Type } from "typebox";
import { routesOf } from "#api/platform/http/define-route.ts";
import { param } from "#api/platform/http/route-examples.ts";
import { deactivateDevice } from "./deactivate-device.ts";
import { getOfflineLock } from "./deactivate-locked-device.ts";
import { Device } from "./device.entity.ts";

/** Messages of the portal that differ from those of the add-in. */
const portalMessages: Partial<Record<ResultCodeName, string>> = {
  VALID: "You have successfully deactivated the device.",
  FAILED: "Unable to deactivate the device.",
};

const DeactivateDeviceInput = createInput("DeactivateDeviceInput", deactivateDeviceInputRules, {
  description: "Input for deactivating a device.",
  fields: {
    deviceId: { type: ID, description: "The device to deactivate." },
    reason: "The reason for the deactivation.",
  },
});

export const DeactivateDeviceResult = createType(
  "DeactivateDeviceResult",
  "signedIn",
  "Result of a deactivation. A refusal is returned as a result code, not as an error.",
  {
    code: field.choice<number>(
      resultCodes,
      "Result: `VALID` if the device was deactivated, otherwise `FAILED`, `DEACTIVATION_LIMIT_EXCEEDED` or `MACHINE_OFFLINE_LOCKED`.",
    ),
    message: field.text("Message to show to the user."),
    deactivationsRemaining: field.integer("Number of devices that the licence's owner can still deactivate."),
  },
);
export type DeactivateDeviceResult = InstanceType<typeof DeactivateDeviceResult>;

@Resolver(() => Device)
export class DeviceResolver {
  @Allow("signedIn", { roles: ["support"], scope: "licences:write" })
  @Mutation(() => DeactivateDeviceResult, {
    description:
      "Deactivates a device on one of the caller's licences. Admins can deactivate any device, and their deactivations don't count against the limit.",
  })
  async deactivateDevice(
    @CheckedArg("input", DeactivateDeviceInput) input: InferType<typeof deactivateDeviceInputRules>,
    @Ctx() context: Context,
  ): Promise<DeactivateDeviceResult> {
    const { code, deactivationsRemaining } = await deactivateDevice(context, input);
    const message = portalMessages[code] ?? messageOfResultCode[code];
    return { code: ResultCode[code], message, deactivationsRemaining };
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description:
      "The date the device's offline licence file expires, in UTC. Until then, customers can't deactivate the device. Null if there is no current licence file.",
  })
  offlineUntil(@Root() device: Device, @Ctx() context: Context): Date | null {
    return getOfflineLock(device, context.clock.now());
  }
}

const defineRoute = routesOf("Licences");

/** Calls for deactivating devices. */
export const deviceRoutes = [
  defineRoute("PUT /v1/licence/machine/:tempId/deactivate", {
    params: { tempId: param.device },
    operation: "Mutation.deactivateDevice",
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
      const { code } = await deactivateDevice(context, { deviceId: params.tempId, ...body });
      return ResultCode[code];
    },
  }),
];
