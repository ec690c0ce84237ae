import { Type } from "typebox";
import { deviceAuthorizationRules, pollDeviceAuthorizationRules } from "#schema/rules/device-authorization.ts";
import {
  pollDeviceAuthorization,
  type PollRefusal,
} from "#api/licensing/device-authorizations/poll-device-authorization.ts";
import { requestDeviceAuthorization } from "#api/licensing/device-authorizations/request-device-authorization.ts";
import { addinJson } from "#api/licensing/licences/addin.json.ts";
import { addinShapes } from "#api/licensing/licences/addin-shapes.ts";
import { named, text } from "#api/platform/json-shapes.ts";
import { exampleAnswer, exampleLicenceCode, exampleQuestion } from "./examples.ts";
import { pollSandbox } from "#api/licensing/sandbox/poll-sandbox.ts";
import { Answer, defineRoute } from "./frame.ts";

const tag = "Add-in";
const { licenceCode: _, ...questionWithoutCode } = exampleQuestion;

/** `error_description` of RFC 8628 §3.5: for who writes the add-in, and to show when it is over. */
const descriptions: Record<PollRefusal, string> = {
  authorization_pending: "Nobody has answered yet. Ask again after the interval.",
  slow_down: "You ask too often. The interval is 5 seconds longer from now on.",
  access_denied: "The request was refused. Nothing was activated.",
  expired_token: "The code has lapsed. Please start again.",
  invalid_grant: "This device code is not known. Please start again.",
};

/** Activation by somebody who is signed in (RFC 8628 with its names, decision 0024). */
export const deviceAuthorizationRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/licence/device-authorization",
    allow: "everyone",
    tag,
    summary: "Begin an activation without a licence code: a code to show, and the page to open",
    body: deviceAuthorizationRules,
    bodyExample: { ...questionWithoutCode, clientId: "addin" },
    answer: named("DeviceAuthorization", {
      device_code: text,
      user_code: text,
      verification_uri: text,
      verification_uri_complete: text,
      expires_in: Type.Integer({ description: "Seconds" }),
      interval: Type.Integer({ description: "Seconds between polls" }),
    }),
    example: {
      device_code: "GmR…",
      user_code: "WDJB-MJHT",
      verification_uri: "https://portal.example/activate/",
      verification_uri_complete: "https://portal.example/activate/?code=WDJB-MJHT",
      expires_in: 900,
      interval: 5,
    },
    handler: async ({ context, body }) => {
      const codes = await requestDeviceAuthorization(context, body);
      return {
        device_code: codes.deviceCode,
        user_code: codes.userCode,
        verification_uri: codes.verificationUri,
        verification_uri_complete: codes.verificationUriComplete,
        expires_in: codes.expiresIn,
        interval: codes.interval,
      };
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/licence/device-authorization/token",
    allow: "everyone",
    tag,
    summary:
      "Poll: 400 {error} while nobody has answered or when it is over; else this machine is activated, with its licence code",
    body: pollDeviceAuthorizationRules,
    bodyExample: { ...questionWithoutCode, device_code: "GmR…" },
    answer: addinShapes.signInActivation,
    example: {
      ...exampleAnswer,
      data: { ...exampleAnswer.data, machineToken: "pT2kqV…", licenceCode: exampleLicenceCode },
    },
    otherAnswers: {
      400: {
        description: "Not yet, or no longer: the error codes of RFC 8628",
        schema: Type.Object({
          error: Type.Enum(Object.keys(descriptions) as PollRefusal[]),
          error_description: text,
        }),
        example: { error: "authorization_pending", error_description: descriptions.authorization_pending },
      },
    },
    handler: async ({ context, body }) => {
      const outcome = (await pollSandbox(context, body)) ?? (await pollDeviceAuthorization(context, body));
      if (outcome.kind === "answer") return addinJson(context, body, outcome.answer);
      const { error } = outcome;
      return new Answer(400, { error, error_description: descriptions[error] });
    },
  }),
];
