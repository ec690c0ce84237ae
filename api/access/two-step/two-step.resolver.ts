import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import type { InferType } from "yup";
import {
  addPasskeyRules,
  codeRules,
  type CodeValues,
  completeSignInRules,
  type CompleteSignInValues,
  identityProofRules,
  type IdentityProofValues,
  passkeySignInRules,
  proveIdentityRules,
} from "#schema/account.ts";
import { Allow, createType, field, Scope } from "#api/platform/graphql/declare.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { deliverTokens } from "#api/access/sessions/open-session.ts";
import { createSignInResult, SignInResult } from "#api/access/sessions/sign-in-result.type.ts";
import {
  addPasskey,
  beginAuthenticatorApp,
  beginPasskey,
  confirmAuthenticatorApp,
  removeAuthenticatorApp,
  removePasskey,
  renewRecoveryCodes,
  turnOffTwoStep,
} from "./change-methods.ts";
import { beginPasskeySignIn, completeSignIn } from "./complete-sign-in.ts";
import { beginSignInWithPasskey, PASSKEY_REFUSED, signInWithPasskey } from "./passkey-sign-in.ts";
import { beginPasskeyProof, proveIdentity } from "./prove-identity.ts";
import { TwoStepState, getTwoStepState } from "./two-step-state.ts";
import { addMilliseconds, SECOND } from "#api/platform/clock.ts";
import { PROOF_SECONDS } from "#api/access/sessions/authenticate.ts";

const CompleteSignInInput = createInput("CompleteSignInInput", completeSignInRules, {
  description: "The second step of a sign-in: a code or a passkey.",
  fields: {
    code: "A six-digit code from the authenticator app, or a recovery code.",
    passkey: "The browser's response to the options of `beginPasskeySignIn`, as WebAuthn JSON.",
  },
});

const IdentityProofInput = createInput("IdentityProofInput", identityProofRules, {
  description: "A proof of identity: the password and, if two-step sign-in is on, a code or a passkey.",
  fields: {
    code: "A six-digit code from the authenticator app, or a recovery code.",
    passkey: "The browser's response to the options of `beginPasskeyProof`, as WebAuthn JSON.",
  },
});

const AuthenticatorAppCodeInput = createInput("AuthenticatorAppCodeInput", codeRules, {
  description: "The first code of a new authenticator app.",
  fields: { code: "A six-digit code from the app." },
});

const AddPasskeyInput = createInput("AddPasskeyInput", addPasskeyRules, {
  description: "A new passkey.",
  fields: { passkey: "The browser's response to the options of `beginPasskey`, as WebAuthn JSON." },
});

export const AuthenticatorAppSetUp = createType(
  "AuthenticatorAppSetUp",
  "anySession",
  "The secret of a new authenticator app. It is returned only once.",
  {
    secret: field.text("The secret in base32, for manual entry."),
    uri: field.text("The `otpauth://` URI to show as a QR code."),
  },
);
export type AuthenticatorAppSetUp = InstanceType<typeof AuthenticatorAppSetUp>;

const PasskeySignInInput = createInput("PasskeySignInInput", passkeySignInRules, {
  description: "A sign-in with a passkey alone.",
  fields: { passkey: "The browser's response to the options of `beginSignInWithPasskey`, as WebAuthn JSON." },
});

export const PasskeyOptions = createType(
  "PasskeyOptions",
  "everyone",
  "What a browser needs to create or use a passkey.",
  { options: field.text("The options for the browser, as WebAuthn JSON.") },
);
export type PasskeyOptions = InstanceType<typeof PasskeyOptions>;

export const RecoveryCodes = createType(
  "RecoveryCodes",
  "anySession",
  "New recovery codes, and the status of two-step sign-in after the change.",
  {
    codes: field.texts("The codes, which are returned only once. Empty if two-step sign-in was on and the codes stay."),
    state: field.object(() => TwoStepState, "The status of two-step sign-in.", { access: Scope("session") }),
  },
);
export type RecoveryCodes = InstanceType<typeof RecoveryCodes>;

const withState = async (context: Context, codes: string[]): Promise<RecoveryCodes> => ({
  codes,
  state: await getTwoStepState(context, requireActor(context).userId),
});

export const IdentityProof = createType("IdentityProof", "anySession", "A proof of identity in the current session.", {
  validUntil: field.moment("When the proof stops being accepted, in UTC."),
});
export type IdentityProof = InstanceType<typeof IdentityProof>;

@Resolver()
export class TwoStepResolver {
  @Allow("everyone", { scope: "session" })
  @Mutation(() => SignInResult, { description: "Completes a sign-in with a code or a passkey." })
  async completeSignIn(
    @CheckedArg("input", CompleteSignInInput) input: CompleteSignInValues,
    @Ctx() context: Context,
  ): Promise<SignInResult> {
    const outcome = await completeSignIn(context, input, "portal");
    if (outcome.kind === "signed-in") return createSignInResult({ session: deliverTokens(context, outcome.tokens) });
    const problem = outcome.kind === "wrong" ? "INVALID" : "TWO_STEP_ENDED";
    return createSignInResult({ problem, message: outcome.message });
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => PasskeyOptions, { description: "Starts the second step with a passkey." })
  async beginPasskeySignIn(
    @Arg("challenge", () => String, { description: "The challenge of the second step." }) challenge: string,
    @Ctx() context: Context,
  ): Promise<PasskeyOptions> {
    return { options: await beginPasskeySignIn(context, challenge) };
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => PasskeyOptions, {
    description: "Starts a sign-in with a passkey alone. The options are valid for 5 minutes.",
  })
  async beginSignInWithPasskey(@Ctx() context: Context): Promise<PasskeyOptions> {
    return { options: await beginSignInWithPasskey(context) };
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => SignInResult, {
    description: "Signs in with a passkey alone, without a password. The device must have checked its owner.",
  })
  async signInWithPasskey(
    @CheckedArg("input", PasskeySignInInput) input: InferType<typeof passkeySignInRules>,
    @Ctx() context: Context,
  ): Promise<SignInResult> {
    const tokens = await signInWithPasskey(context, input.passkey, "portal");
    return tokens
      ? createSignInResult({ session: deliverTokens(context, tokens) })
      : createSignInResult({ problem: "INVALID", message: PASSKEY_REFUSED });
  }

  @Allow("anySession", { scope: "session" })
  @Query(() => TwoStepState, { description: "Returns the status of the caller's two-step sign-in." })
  async twoStepSignIn(@Ctx() context: Context): Promise<TwoStepState> {
    return getTwoStepState(context, requireActor(context).userId);
  }

  @Allow("anySession", { scope: "session", proof: "conditional" })
  @Mutation(() => AuthenticatorAppSetUp, {
    description: "Starts the setup of an authenticator app. Complete it with `confirmAuthenticatorApp`.",
  })
  async beginAuthenticatorApp(
    @CheckedArg("proof", IdentityProofInput) proof: IdentityProofValues,
    @Ctx() context: Context,
  ): Promise<AuthenticatorAppSetUp> {
    return beginAuthenticatorApp(context, proof);
  }

  @Allow("anySession", { harm: "access" })
  @Mutation(() => RecoveryCodes, { description: "Completes the setup of an authenticator app with its first code." })
  async confirmAuthenticatorApp(
    @CheckedArg("input", AuthenticatorAppCodeInput) input: CodeValues,
    @Ctx() context: Context,
  ): Promise<RecoveryCodes> {
    return withState(context, await confirmAuthenticatorApp(context, input.code));
  }

  @Allow("anySession", { scope: "session", proof: "conditional" })
  @Mutation(() => PasskeyOptions, { description: "Starts adding a passkey." })
  async beginPasskey(
    @CheckedArg("proof", IdentityProofInput) proof: IdentityProofValues,
    @Ctx() context: Context,
  ): Promise<PasskeyOptions> {
    return { options: await beginPasskey(context, proof) };
  }

  @Allow("anySession", { harm: "access" })
  @Mutation(() => RecoveryCodes, { description: "Adds the passkey that the browser created." })
  async addPasskey(
    @CheckedArg("input", AddPasskeyInput) input: InferType<typeof addPasskeyRules>,
    @Ctx() context: Context,
  ): Promise<RecoveryCodes> {
    return withState(context, await addPasskey(context, input));
  }

  @Allow("signedIn", { scope: "session" })
  @Mutation(() => PasskeyOptions, { description: "Starts a proof of identity with a passkey." })
  async beginPasskeyProof(@Ctx() context: Context): Promise<PasskeyOptions> {
    return { options: await beginPasskeyProof(context) };
  }

  @Allow("anySession", { scope: "session" })
  @Mutation(() => IdentityProof, {
    description:
      "Proves the caller's identity in this session for 10 minutes: with the password, or with a code or a passkey if two-step sign-in is on.",
  })
  async proveIdentity(
    @Arg("password", () => String, {
      nullable: true,
      description: "The password. Needed unless two-step sign-in is on and a code or passkey is given.",
    })
    password: string | undefined,
    @Arg("code", () => String, {
      nullable: true,
      description: "A six-digit code from the authenticator app, or a recovery code.",
    })
    code: string | undefined,
    @Arg("passkey", () => String, {
      nullable: true,
      description: "The browser's response to the options of `beginPasskeyProof`, as WebAuthn JSON.",
    })
    passkey: string | undefined,
    @Ctx() context: Context,
  ): Promise<IdentityProof> {
    await proveIdentity(context, check(proveIdentityRules, { password, code, passkey }));
    return { validUntil: addMilliseconds(context.clock.now(), PROOF_SECONDS * SECOND) };
  }

  @Allow("signedIn", { scope: "session", proof: "conditional" })
  @Mutation(() => TwoStepState, {
    description: "Removes the authenticator app. Removing the last method turns two-step sign-in off.",
  })
  async removeAuthenticatorApp(
    @CheckedArg("proof", IdentityProofInput) proof: IdentityProofValues,
    @Ctx() context: Context,
  ): Promise<TwoStepState> {
    await removeAuthenticatorApp(context, proof);
    return getTwoStepState(context, requireActor(context).userId);
  }

  @Allow("signedIn", { scope: "session", proof: "conditional" })
  @Mutation(() => TwoStepState, {
    description: "Removes a passkey. Removing the last method turns two-step sign-in off.",
  })
  async removePasskey(
    @Arg("id", () => ID, { description: "The passkey." }) id: string,
    @CheckedArg("proof", IdentityProofInput) proof: IdentityProofValues,
    @Ctx() context: Context,
  ): Promise<TwoStepState> {
    await removePasskey(context, id, proof);
    return getTwoStepState(context, requireActor(context).userId);
  }

  @Allow("signedIn", { scope: "session", proof: "conditional" })
  @Mutation(() => RecoveryCodes, { description: "Replaces the recovery codes by ten new ones." })
  async renewRecoveryCodes(
    @CheckedArg("proof", IdentityProofInput) proof: IdentityProofValues,
    @Ctx() context: Context,
  ): Promise<RecoveryCodes> {
    return withState(context, await renewRecoveryCodes(context, proof));
  }

  @Allow("signedIn", { scope: "session", proof: "conditional" })
  @Mutation(() => TwoStepState, {
    description: "Turns two-step sign-in off and deletes all methods and recovery codes.",
  })
  async turnOffTwoStepSignIn(
    @CheckedArg("proof", IdentityProofInput) proof: IdentityProofValues,
    @Ctx() context: Context,
  ): Promise<TwoStepState> {
    await turnOffTwoStep(context, proof);
    return getTwoStepState(context, requireActor(context).userId);
  }
}
