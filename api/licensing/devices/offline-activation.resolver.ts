import { Ctx, Mutation, Resolver } from "type-graphql";
import { ResultCode, resultCodes } from "#schema/result-code.ts";
import { offlineActivationRules, type OfflineActivationValues } from "#schema/protocol.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, Scope } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { AppError } from "#api/platform/errors.ts";
import { defineRoute, describedText } from "#api/platform/http/define-route.ts";
import { exampleRequest } from "#api/platform/http/route-examples.ts";
import { activateOffline } from "./activate-offline.ts";
import { Device } from "./device.entity.ts";

const ActivateOfflineInput = createInput("ActivateOfflineInput", offlineActivationRules, {
  description: "Input for an offline activation.",
  fields: { requestFile: "Content of the request file saved by the add-in: JSON, or JSON in base64. At most 50 kB." },
});

export const ActivateOfflineResult = createType(
  "ActivateOfflineResult",
  "customer",
  "Result of an offline activation. A refusal is returned as a result code, not as an error.",
  {
    code: field.choice<number>(resultCodes, "Result; `VALID` if the machine was activated."),
    message: field.text("Message to show to the user."),
    licenceId: field.id("The licence with the licence code in the request file."),
    licenceFile: field.text(
      "Content of the licence file, to be opened in the add-in. Null if the activation was refused.",
      { nullable: true },
    ),
    goodUntil: field.moment("The date the licence file expires and the device is unlocked, in UTC.", {
      nullable: true,
    }),
    device: field.object(() => Device, "The activated device.", { nullable: true, access: Scope("licences:write") }),
  },
);
export type ActivateOfflineResult = InstanceType<typeof ActivateOfflineResult>;

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

/** Call for activating devices offline. */
export const offlineActivationRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/licence/offline",
    operation: "Mutation.activateOffline",
    tag: "Licences",
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
