import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Resolver } from "type-graphql";
import { ResultCode } from "#schema/catalogue.ts";
import { offlineActivationRules } from "#schema/rules/protocol.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { activateOffline } from "./activate-offline.ts";
import { Device } from "./device.entity.ts";

@InputType({ description: "The request file that the add-in saved." })
export class ActivateOfflineInput {
  @Field(() => String, { description: "Its text: the add-in's question as JSON, or that in base64. At most 50 kB." })
  requestFile!: string;
}

@ObjectType({ description: "How an offline activation ended; a refusal is an answer, not an error." })
export class ActivateOfflineResult {
  @Field(() => Int, { description: "1 done, or why not, as the add-in's protocol counts." })
  resultCode!: number;

  @Field(() => String, { description: "Name of the result code." })
  code!: string;

  @Field(() => String, { description: "The sentence to show." })
  message!: string;

  @Field(() => ID, { description: "The licence that the file's code belongs to." })
  licenceId!: string;

  @Field(() => String, { nullable: true, description: "The file to carry to the machine." })
  licenceFile!: string | null;

  @Field(() => Date, { nullable: true, description: "Until when the file is good and the device locked, UTC." })
  goodUntil!: Date | null;

  @Field(() => Device, { nullable: true, description: "The machine's place on the licence." })
  device!: Device | null;
}

@Resolver()
export class OfflineActivationResolver {
  @Allow("customer")
  @Check({ input: offlineActivationRules })
  @Mutation(() => ActivateOfflineResult, {
    description: "Gives a machine without a connection a place on the caller's own licence, and a licence file.",
  })
  async activateOffline(
    @Arg("input", () => ActivateOfflineInput) input: ActivateOfflineInput,
    @Ctx() context: Context,
  ): Promise<ActivateOfflineResult> {
    const { code, message, licenceId, file, device } = await activateOffline(context, input);
    return {
      resultCode: ResultCode[code],
      code,
      message,
      licenceId,
      licenceFile: file?.text ?? null,
      goodUntil: file?.goodUntil ?? null,
      device: device ?? null,
    };
  }
}
