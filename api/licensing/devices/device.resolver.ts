import { Arg, Ctx, Field, FieldResolver, ID, InputType, Int, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { messageOfResultCode, ResultCode, type ResultCodeName } from "#schema/catalogue.ts";
import { deactivateDeviceInputRules } from "#schema/rules/device.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { deactivateDevice } from "./deactivate-device.ts";
import { Device } from "./device.entity.ts";

const portalMessages: Partial<Record<ResultCodeName, string>> = {
  VALID: "You have successfully deactivated the device.",
  FAILED: "Unable to deactivate the device.",
};

/** The sentence the portal shows after a deactivation. */
function deactivationMessage(code: ResultCodeName): string {
  return portalMessages[code] ?? messageOfResultCode[code];
}

@InputType({ description: "Which device to free, and why." })
export class DeactivateDeviceInput {
  @Field(() => ID)
  deviceId!: string;

  @Field(() => String)
  reason!: string;
}

@ObjectType({ description: "How freeing a device ended; a refusal is an answer, not an error." })
export class DeactivateDeviceResult {
  @Field(() => Int, { description: "1 done, 2 failed, 3 limit reached, 25 the device holds a licence file." })
  resultCode!: number;

  @Field(() => String, { description: "Name of the result code." })
  code!: string;

  @Field(() => String, { description: "The sentence to show." })
  message!: string;

  @Field(() => Int, { description: "Devices the licence's owner may still free within the year." })
  deactivationsRemaining!: number;
}

@Resolver(() => Device)
export class DeviceResolver {
  @Allow("signedIn")
  @Check({ input: deactivateDeviceInputRules })
  @Mutation(() => DeactivateDeviceResult, {
    description: "Frees a device of the caller's own licences; of any licence, and not counted, for an admin.",
  })
  async deactivateDevice(
    @Arg("input", () => DeactivateDeviceInput) input: DeactivateDeviceInput,
    @Ctx() context: Context,
  ): Promise<DeactivateDeviceResult> {
    const { code, deactivationsRemaining } = await deactivateDevice(context, input);
    return {
      resultCode: ResultCode[code],
      code,
      message: deactivationMessage(code),
      deactivationsRemaining,
    };
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description: "End of the licence file the device holds, UTC: until then customers can't free it; null for none.",
  })
  offlineUntil(@Root() { offlineUntil }: Device, @Ctx() context: Context): Date | null {
    return offlineUntil && offlineUntil > context.clock.now() ? offlineUntil : null;
  }
}
