import type { SandboxCall } from "#schema/sandbox-codes.ts";
import type { AddinValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { addinJson } from "#api/licensing/licences/addin.json.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { answerSandbox } from "#api/licensing/sandbox/answer-sandbox.ts";
import { isSandboxCode } from "#api/licensing/sandbox/sandbox-code.ts";
import type { RouteCall } from "./frame.ts";

/** Answers a machine's question about a licence code; a code of the sandbox by its table (decision 0054). */
export function answering<Body extends AddinValues>(
  call: SandboxCall,
  answer: (context: Context, body: Body) => Promise<LicenceAnswer>,
  sandboxed: (context: Context, body: Body) => Promise<LicenceAnswer> = (context, body) =>
    answerSandbox(context, call, body),
) {
  return async ({ context, body }: Pick<RouteCall<Body>, "context" | "body">) =>
    addinJson(context, body, await (isSandboxCode(body.licenceCode) ? sandboxed : answer)(context, body));
}
