import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import { type InferType, object } from "yup";
import {
  changeEmailRules,
  confirmEmailRules,
  registerRules,
  type RegisterValues,
  undoEmailChangeRules,
} from "#schema/account.ts";
import { Allow, createType, field, fieldOrNull } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { createSignInResult, SignInResult, toSignInResult } from "#api/access/sessions/sign-in-result.type.ts";
import { CONFIRMED, confirmEmail } from "./confirm-email.ts";
import { changeUnconfirmedEmail, getEmailConfirmation, resendConfirmation } from "./email-confirmation.ts";
import { personFields, TIME_ZONE_DESCRIPTION } from "#api/people/users/person.input.ts";
import { registerAccount } from "./register-account.ts";
import { undoEmailChange } from "./undo-email-change.ts";
import { Type } from "typebox";
import { line } from "#schema/text.ts";
import { sessionTokensShape } from "#api/access/sessions/open-session.ts";
import { describedText, id, type RouteCall, routesOf, StatusResponse } from "#api/platform/http/define-route.ts";
import {
  exampleIds,
  examplePassword,
  exampleRegistration,
  exampleTokens,
  param,
} from "#api/platform/http/route-examples.ts";
import { toSessionResponse, twoStepRequiredResponse } from "#api/access/sessions/auth.resolver.ts";

const RegisterInput = createInput("RegisterInput", registerRules, {
  description: "The details of a new account.",
  fields: {
    ...personFields,
    isTester: { nullable: true, description: "Whether the user wants to test pre-release versions." },
    isServiceProvider: { nullable: true, description: "Whether the user registers as a service provider." },
    trialIntent: "Whether the user registers for a trial. The time to confirm the address is then 3 days instead of 7.",
    timeZone: TIME_ZONE_DESCRIPTION,
  },
});

const ChangeUnconfirmedEmailInput = createInput("ChangeUnconfirmedEmailInput", changeEmailRules, {
  description: "The new address of an unconfirmed registration.",
});

export const RegisterResult = createType("RegisterResult", "everyone", "The result of a registration.", {
  confirmationHandle: field.id("The handle of the confirmation page. It is not the account's id."),
});
export type RegisterResult = InstanceType<typeof RegisterResult>;

export const EmailConfirmation = createType("EmailConfirmation", "everyone", "The state of an email confirmation.", {
  email: fieldOrNull.text("The address the link was sent to. Null once the address is confirmed."),
  isConfirmed: field.flag("Whether the address is confirmed."),
  isChange: field.flag("Whether an existing account is changing its address to this one."),
});
export type EmailConfirmation = InstanceType<typeof EmailConfirmation>;

export const RestoredEmail = createType("RestoredEmail", "everyone", "An email address that was restored.", {
  email: field.text("The address with which the user signs in again."),
});
export type RestoredEmail = InstanceType<typeof RestoredEmail>;

@Resolver()
export class RegistrationResolver {
  @Allow("everyone", { scope: "session" })
  @Query(() => EmailConfirmation, { description: "Returns the state of an email confirmation by its handle." })
  async emailConfirmation(
    @Arg("handle", () => ID, { description: "The handle of the confirmation page." }) handle: string,
    @Ctx() context: Context,
  ): Promise<EmailConfirmation> {
    return getEmailConfirmation(context, handle);
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => RegisterResult, { description: "Registers an account and emails a confirmation link." })
  async register(
    @CheckedArg("input", RegisterInput) input: RegisterValues,
    @Ctx() context: Context,
  ): Promise<RegisterResult> {
    return registerAccount(context, input);
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => SignInResult, {
    description:
      "Confirms an email address with the token from the emailed link. Signs in a new account; a new address of an existing account is confirmed without a session, unless its user is signed in. A new account that was registered in another browser needs a password: the same one again, or a new one.",
  })
  async confirmEmail(
    @Arg("confirmationToken", () => String, { description: "The token of the emailed link." })
    confirmationToken: string,
    @Ctx() context: Context,
    @Arg("password", () => String, {
      nullable: true,
      description: "The password of a new account that was registered in another browser.",
    })
    password?: string,
    @Arg("confirmPassword", () => String, { nullable: true, description: "The same password again." })
    confirmPassword?: string,
  ): Promise<SignInResult> {
    const checked = check(confirmEmailRules, { confirmationToken, password, confirmPassword });
    const requiresPassword = context.origin.cookies?.isFromBrowser;
    const outcome = await confirmEmail(context, checked.confirmationToken, {
      password: checked.password,
      requiresPassword,
    });
    if (outcome.kind === "confirmed") return createSignInResult({ message: CONFIRMED });
    return { ...toSignInResult(context, outcome), startsTrial: outcome.startsTrial };
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => RestoredEmail, {
    description:
      "Restores an email address with the token from the link sent to it, within 7 days of the change. Signs the user out everywhere. The token is then valid once as the token of a reset link.",
  })
  async undoEmailChange(
    @Arg("token", () => String, { description: "The token of the emailed link." }) token: string,
    @Ctx() context: Context,
  ): Promise<RestoredEmail> {
    return { email: await undoEmailChange(context, token) };
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => EmailConfirmation, {
    description: "Emails a new confirmation link. The previous link stops working.",
  })
  async resendConfirmationEmail(
    @Arg("handle", () => ID, { description: "The handle of the confirmation page." }) handle: string,
    @Ctx() context: Context,
  ): Promise<EmailConfirmation> {
    await resendConfirmation(context, handle);
    return getEmailConfirmation(context, handle);
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => EmailConfirmation, {
    description: "Changes the address of an unconfirmed registration and emails a confirmation link to it.",
  })
  async changeUnconfirmedEmail(
    @Arg("handle", () => ID, { description: "The handle of the confirmation page." }) handle: string,
    @CheckedArg("input", ChangeUnconfirmedEmailInput) input: InferType<typeof changeEmailRules>,
    @Ctx() context: Context,
  ): Promise<EmailConfirmation> {
    await changeUnconfirmedEmail(context, handle, input.email);
    return getEmailConfirmation(context, handle);
  }
}

const resendUrl = "/v1/core/accounts/resend-confirmation-email/:handle";
const resend = {
  params: { handle: param.handle },
  operation: "Mutation.resendConfirmationEmail",
  headers: { "cache-control": "no-store" },
  handler: async ({ context, params }: RouteCall<undefined, object, typeof resendUrl>) =>
    resendConfirmation(context, params.handle),
} as const;

const defineRoute = routesOf("Accounts");

/** Calls for registering and confirming an email address. */
export const accountRoutes = [
  defineRoute("POST /v1/core/accounts", {
    operation: "Mutation.register",
    summary: "Register an account. Returns the handle of its confirmation page",
    body: registerRules,
    bodyExample: { ...exampleRegistration, ...examplePassword },
    response: id,
    example: exampleIds.other,
    handler: async ({ context, body }) => (await registerAccount(context, body)).confirmationHandle,
  }),
  defineRoute("POST /v1/core/accounts/confirm-email", {
    operation: "Mutation.confirmEmail",
    summary:
      "Confirm an email address with the token from the email. Signs in a new account, or requires the second step. A new address of an existing account is confirmed with status 202 and without a session, unless its user is signed in. The password of a new account is kept if the browser or program that registered confirms; send `password` and `confirmPassword` to set it elsewhere",
    body: confirmEmailRules,
    bodyExample: { confirmationToken: "kR8v…" },
    response: sessionTokensShape,
    example: exampleTokens,
    otherResponses: {
      ...twoStepRequiredResponse,
      202: {
        description: "A new address of an existing account is confirmed. Its user has to sign in",
        schema: Type.Object({ message: Type.String() }),
        example: { message: CONFIRMED },
      },
    },
    handler: async ({ context, body }) => {
      const { confirmationToken, password } = body;
      const outcome = await confirmEmail(context, confirmationToken, { password });
      return outcome.kind === "confirmed"
        ? new StatusResponse(202, { message: CONFIRMED })
        : toSessionResponse(outcome);
    },
  }),
  defineRoute("POST /v1/core/accounts/undo-email-change", {
    operation: "Mutation.undoEmailChange",
    summary:
      "Restore an email address with the token from the link sent to it, within 7 days of the change. Signs the user out everywhere. The token is then valid once as the token of a reset link",
    body: undoEmailChangeRules,
    bodyExample: { token: "kR8v…" },
    handler: async ({ context, body }) => void (await undoEmailChange(context, body.token)),
  }),
  defineRoute("PATCH /v1/core/accounts/check-confirmation/:handle", {
    params: { handle: param.handle },
    operation: "Query.emailConfirmation",
    summary: "Check a registration's confirmation. Returns the email address that the link was sent to, or `Confirmed`",
    response: describedText("The email address, or `Confirmed`"),
    example: "ada@example.com",
    handler: async ({ context, params }) => {
      const { email } = await getEmailConfirmation(context, params.handle);
      return email ?? "Confirmed";
    },
  }),
  defineRoute(`POST ${resendUrl}`, {
    ...resend,
    summary: "Resend the confirmation link. The previous link stops working",
  }),
  defineRoute(`GET ${resendUrl}`, {
    ...resend,
    deprecated: { since: "2026-11-22", instead: "Use POST. A GET request should not change anything." },
    summary: "For existing clients only. Behaves like POST",
  }),
  defineRoute("PUT /v1/core/accounts/change-email-address", {
    operation: "Mutation.changeUnconfirmedEmail",
    summary: "Change the email address of an unconfirmed registration",
    body: object({ userId: line(100).required("User id is required.") }).concat(changeEmailRules),
    bodyExample: { userId: exampleIds.other, email: "ada@example.com" },
    errors: ["NOT_FOUND"],
    handler: async ({ context, body }) => changeUnconfirmedEmail(context, body.userId, body.email),
  }),
];
