import { deviceAuthorizationRules, pollDeviceAuthorizationRules } from "#schema/rules/device-authorization.ts";
import {
  pollDeviceAuthorization,
  type PollRefusal,
} from "#api/features/device-authorizations/poll-device-authorization.ts";
import { requestDeviceAuthorization } from "#api/features/device-authorizations/request-device-authorization.ts";
import { addinJson } from "#api/features/licences/addin.json.ts";
import { pollSandbox } from "#api/features/sandbox/poll-sandbox.ts";
import { Answer, defineRoute } from "./frame.ts";

const tag = "Add-in";

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
    answer: {
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
    answer: {
      data: {
        valid: true,
        resultCode: 1,
        code: "VALID",
        message: "The licence is valid on this device.",
        warnings: [],
        serverTimeUtc: "2025-03-05T01:00:00.000Z",
        licence: {
          id: "0b6f…",
          productLevel: 2,
          licenceType: 1,
          licenceActivationType: 0,
          features: ["schedule", "health-checks", "costs", "resources"],
          expiryDateUtc: "2025-04-10T01:00:00.000Z",
        },
        machine: { id: "5d1c…" },
        machineToken: "pT2…",
        licenceCode: "AB12C-…",
        validateAfterUtc: "2025-03-06T01:00:00.000Z",
        graceUntilUtc: "2025-03-19T01:00:00.000Z",
      },
      proof: "eyJhbGciOiJFUzI1NiIs…",
    },
    handler: async ({ context, body }) => {
      const outcome = (await pollSandbox(context, body)) ?? (await pollDeviceAuthorization(context, body));
      if (outcome.kind === "answer") return addinJson(context, body, outcome.answer);
      const { error } = outcome;
      return new Answer(400, { error, error_description: descriptions[error] });
    },
  }),
];
