import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import {
  confirmDeviceAuthorizationRules,
  type ConfirmDeviceAuthorizationValues,
  userCodeRules,
  deviceAuthorizationRules,
  pollDeviceAuthorizationRules,
} from "#schema/protocol.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { confirmDeviceAuthorization, denyDeviceAuthorization } from "./decide-device-authorization.ts";
import { DeviceAuthorizationView } from "./device-authorization.type.ts";
import { findDeviceAuthorization, loadDeviceAuthorizationView } from "./find-device-authorization.ts";
import { Type } from "typebox";
import { pollDeviceAuthorization, type PollErrorCode } from "./poll-device-authorization.ts";
import { requestDeviceAuthorization } from "./request-device-authorization.ts";
import { toAddinResponse } from "#api/licensing/licences/addin.json.ts";
import { addinShapes } from "#api/licensing/licences/addin-shapes.ts";
import { namedObject, routesOf, StatusResponse, text } from "#api/platform/http/define-route.ts";
import { exampleResponse, exampleLicenceCode, exampleRequest } from "#api/platform/http/route-examples.ts";
import { answerSandboxPoll } from "#api/licensing/sandbox/answer-sandbox.ts";

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

const defineRoute = routesOf("Add-in");
const { licenceCode: _, ...requestWithoutCode } = exampleRequest;

/**
 * `error_description` by error code (RFC 8628 §3.5). The texts are written for the add-in's developers. The add-in
 * also shows them when the request has ended.
 */
const descriptions: Record<PollErrorCode, string> = {
  authorization_pending: "Nobody has answered yet. Ask again after the interval.",
  slow_down: "You ask too often. The interval is 5 seconds longer from now on.",
  access_denied: "The request was refused. Nothing was activated.",
  expired_token: "The code has lapsed. Please start again.",
  invalid_grant: "This device code is not known. Please start again.",
};

/** Calls for activations that a signed-in customer confirms. They use the field names of RFC 8628 (decision 0024). */
export const deviceAuthorizationRoutes = [
  defineRoute("POST /v1/licence/device-authorization", {
    allow: { audience: "everyone", scope: "open" },
    summary:
      "Start an activation by signing in. Returns a code to display and the page to open. No licence code is needed",
    body: deviceAuthorizationRules,
    bodyExample: { ...requestWithoutCode, clientId: "addin" },
    response: namedObject("DeviceAuthorization", {
      device_code: text,
      user_code: text,
      verification_uri: text,
      verification_uri_complete: text,
      expires_in: Type.Integer({ description: "Lifetime of the code in seconds" }),
      interval: Type.Integer({ description: "Minimum number of seconds between two polls" }),
    }),
    example: {
      device_code: "GmR…",
      user_code: "WDJB-MJHT",
      verification_uri: "https://portal.example/activate/",
      verification_uri_complete: "https://portal.example/activate/?code=WDJB-MJHT",
      expires_in: 900,
      interval: 5,
    },
    handler: ({ context, body }) => requestDeviceAuthorization(context, body),
  }),
  defineRoute("POST /v1/licence/device-authorization/token", {
    allow: { audience: "everyone", scope: "open" },
    summary:
      "Poll an activation by signing in. Activates the device once the customer has confirmed it and returns the licence code. Otherwise returns 400 with an `error`",
    body: pollDeviceAuthorizationRules,
    bodyExample: { ...requestWithoutCode, device_code: "GmR…" },
    response: addinShapes.signInActivation,
    example: {
      ...exampleResponse,
      data: { ...exampleResponse.data, machineToken: "pT2kqV…", licenceCode: exampleLicenceCode },
    },
    otherResponses: {
      400: {
        description: "The activation is still pending or has ended. `error` is an error code of RFC 8628",
        schema: Type.Object({
          error: Type.Enum(Object.keys(descriptions) as PollErrorCode[]),
          error_description: text,
        }),
        example: { error: "authorization_pending", error_description: descriptions.authorization_pending },
      },
    },
    handler: async ({ context, body }) => {
      const outcome = (await answerSandboxPoll(context, body)) ?? (await pollDeviceAuthorization(context, body));
      if (outcome.kind === "answer") return toAddinResponse(context, body, outcome.answer);
      const { error } = outcome;
      return new StatusResponse(400, { error, error_description: descriptions[error] });
    },
  }),
];
