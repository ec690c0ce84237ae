import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import {
  confirmDeviceAuthorizationRules,
  type ConfirmDeviceAuthorizationValues,
  userCodeRules,
} from "#schema/protocol.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { confirmDeviceAuthorization, denyDeviceAuthorization } from "./decide-device-authorization.ts";
import { DeviceAuthorizationView } from "./device-authorization.type.ts";
import { findDeviceAuthorization } from "./find-device-authorization.ts";
import { loadDeviceAuthorizationView } from "./view-device-authorization.ts";

const ConfirmDeviceAuthorizationInput = createInput(
  "ConfirmDeviceAuthorizationInput",
  confirmDeviceAuthorizationRules,
  {
    description: "Input for confirming a device authorization.",
    fields: {
      userCode: "The code that the add-in displays, in upper or lower case, with or without its dash.",
      licenceId: { type: ID },
      replaceDeviceId: {
        type: ID,
        description: "The device to replace. Required if the licence is in use on as many devices as it allows.",
      },
    },
  },
);

@Resolver()
export class DeviceAuthorizationResolver {
  @Allow("customer", { scope: "session", viewers: "refused" })
  @Query(() => DeviceAuthorizationView, {
    description: "Returns a pending device authorization by its user code, or one that the caller has already decided.",
  })
  async deviceAuthorization(
    @Arg("userCode", () => String, { description: "The code that the add-in displays." }) typed: string,
    @Ctx() context: Context,
  ): Promise<DeviceAuthorizationView> {
    const { userCode } = check(userCodeRules, { userCode: typed });
    return loadDeviceAuthorizationView(context, await findDeviceAuthorization(context, userCode), userCode);
  }

  @Allow("customer", { scope: "session" })
  @Mutation(() => DeviceAuthorizationView, {
    description:
      "Confirms that the device may be activated on one of the caller's licences. The add-in completes the activation with its next poll.",
  })
  async confirmDeviceAuthorization(
    @CheckedArg("input", ConfirmDeviceAuthorizationInput) input: ConfirmDeviceAuthorizationValues,
    @Ctx() context: Context,
  ): Promise<DeviceAuthorizationView> {
    return loadDeviceAuthorizationView(context, await confirmDeviceAuthorization(context, input), input.userCode);
  }

  @Allow("customer", { scope: "session" })
  @Mutation(() => DeviceAuthorizationView, { description: "Denies a device that the caller does not recognise." })
  async denyDeviceAuthorization(
    @Arg("userCode", () => String, { description: "The code that the add-in displays." }) typed: string,
    @Ctx() context: Context,
  ): Promise<DeviceAuthorizationView> {
    const { userCode } = check(userCodeRules, { userCode: typed });
    return loadDeviceAuthorizationView(context, await denyDeviceAuthorization(context, userCode), userCode);
  }
}
