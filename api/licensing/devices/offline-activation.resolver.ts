import { Ctx, Field, ID, Mutation, ObjectType, Resolver } from "type-graphql";
import { ResultCode, resultCodes } from "#schema/result-code.ts";
import { offlineActivationRules, type OfflineActivationValues } from "#schema/protocol.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { activateOffline } from "./activate-offline.ts";
import { Device } from "./device.entity.ts";

const ActivateOfflineInput = createInput("ActivateOfflineInput", offlineActivationRules, {
  description: "Input for an offline activation.",
  fields: { requestFile: "Content of the request file saved by the add-in: JSON, or JSON in base64. At most 50 kB." },
});

@VisibleTo("customer")
@ObjectType({
  description: "Result of an offline activation. A refusal is returned as a result code, not as an error.",
})
export class ActivateOfflineResult {
  @Field(enumType(resultCodes), { description: "Result; `VALID` if the machine was activated." })
  code!: number;

  @Field(() => String, { description: "Message to show to the user." })
  message!: string;

  @Field(() => ID, { description: "The licence with the licence code in the request file." })
  licenceId!: string;

  @Field(() => String, {
    nullable: true,
    description: "Content of the licence file, to be opened in the add-in. Null if the activation was refused.",
  })
  licenceFile!: string | null;

  @Field(() => Date, {
    nullable: true,
    description: "The date the licence file expires and the device is unlocked, in UTC.",
  })
  goodUntil!: Date | null;

  @Scope("licences:write")
  @Field(() => Device, { nullable: true, description: "The activated device." })
  device!: Device | null;
}

@Resolver()
export class OfflineActivationResolver {
  @Allow("customer", { scope: "licences:write" })
  @Mutation(() => ActivateOfflineResult, {
    description:
      "Activates a machine that has no internet connection on one of the caller's licences and returns a licence file.",
  })
  async activateOffline(
    @CheckedArg("input", ActivateOfflineInput) input: OfflineActivationValues,
    @Ctx() context: Context,
  ): Promise<ActivateOfflineResult> {
    const { code, message, licenceId, file, device } = await activateOffline(context, input);
    return {
      code: ResultCode[code],
      message,
      licenceId,
      licenceFile: file?.text ?? null,
      goodUntil: file?.goodUntil ?? null,
      device: device ?? null,
    };
  }
}
