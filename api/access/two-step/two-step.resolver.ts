import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import {
  addPasskeyRules,
  codeRules,
  completeSignInRules,
  type CompleteSignInValues,
  identityProofRules,
  type IdentityProofValues,
} from "#schema/rules/two-step.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { SignInProblem, SignInResult } from "#api/access/sessions/sign-in-result.type.ts";
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
import { actorOf, beginPasskeyProof } from "./prove-identity.ts";
import { TwoStepState, twoStepState } from "./two-step-state.ts";

@InputType()
export class CompleteSignInInput implements CompleteSignInValues {
  @Field(() => String)
  challenge!: string;

  @Field(() => String, { nullable: true, description: "The app's six digits, or a recovery code." })
  code?: string;

  @Field(() => String, { nullable: true, description: "A passkey's answer to beginPasskeySignIn, as WebAuthn's JSON." })
  passkey?: string;
}

@InputType({ description: "The password and, with two-step sign-in on, a code or a passkey." })
export class IdentityProofInput implements IdentityProofValues {
  @Field(() => String)
  password!: string;

  @Field(() => String, { nullable: true, description: "The app's six digits, or a recovery code." })
  code?: string;

  @Field(() => String, { nullable: true, description: "A passkey's answer to beginPasskeyProof, as WebAuthn's JSON." })
  passkey?: string;
}

@InputType()
export class AuthenticatorAppCodeInput {
  @Field(() => String)
  code!: string;
}

@InputType()
export class AddPasskeyInput {
  @Field(() => String)
  name!: string;

  @Field(() => String, { description: "The browser's answer to beginPasskey, as WebAuthn's JSON." })
  passkey!: string;
}

/** What an authenticator app is given, once. */
@ObjectType({ description: "What an authenticator app is given, once." })
export class AuthenticatorAppSetUp {
  @Field(() => String, { description: "Base32, for typing." })
  secret!: string;

  @Field(() => String, { description: "otpauth:// address, for the picture." })
  uri!: string;
}

const codesOnce = "Answers the recovery codes, once, when this turned two-step sign-in on; else none.";

@Resolver()
export class TwoStepResolver {
  @Allow("everyone")
  @Check({ input: completeSignInRules })
  @Mutation(() => SignInResult, { description: "The second step of a sign-in, by a code or a passkey." })
  async completeSignIn(
    @Arg("input", () => CompleteSignInInput) input: CompleteSignInInput,
    @Ctx() context: Context,
  ): Promise<SignInResult> {
    const outcome = await completeSignIn(context, input, "portal");
    const result = new SignInResult();
    if (outcome.kind === "signed-in") {
      result.session = outcome.tokens;
      return result;
    }
    result.message = outcome.message;
    result.problem = outcome.kind === "wrong" ? SignInProblem.INVALID : SignInProblem.TWO_STEP_ENDED;
    return result;
  }

  @Allow("everyone")
  @Mutation(() => String, { description: "What the browser needs to ask for a passkey, as WebAuthn's JSON." })
  async beginPasskeySignIn(
    @Arg("challenge", () => String) challenge: string,
    @Ctx() context: Context,
  ): Promise<string> {
    return beginPasskeySignIn(context, challenge);
  }

  @Allow("anySession")
  @Query(() => TwoStepState)
  async twoStepSignIn(@Ctx() context: Context): Promise<TwoStepState> {
    return twoStepState(context, actorOf(context).userId);
  }

  @Allow("anySession")
  @Check({ proof: identityProofRules })
  @Mutation(() => AuthenticatorAppSetUp, { description: "Begins an authenticator app; its first code ends it." })
  async beginAuthenticatorApp(
    @Arg("proof", () => IdentityProofInput) proof: IdentityProofInput,
    @Ctx() context: Context,
  ): Promise<AuthenticatorAppSetUp> {
    return beginAuthenticatorApp(context, proof);
  }

  @Allow("anySession")
  @Check({ input: codeRules })
  @Mutation(() => [String], { description: `Ends the set-up of an app by its first code. ${codesOnce}` })
  async confirmAuthenticatorApp(
    @Arg("input", () => AuthenticatorAppCodeInput) input: AuthenticatorAppCodeInput,
    @Ctx() context: Context,
  ): Promise<string[]> {
    return confirmAuthenticatorApp(context, input.code);
  }

  @Allow("anySession")
  @Check({ proof: identityProofRules })
  @Mutation(() => String, { description: "What the browser needs to make a passkey, as WebAuthn's JSON." })
  async beginPasskey(
    @Arg("proof", () => IdentityProofInput) proof: IdentityProofInput,
    @Ctx() context: Context,
  ): Promise<string> {
    return beginPasskey(context, proof);
  }

  @Allow("anySession")
  @Check({ input: addPasskeyRules })
  @Mutation(() => [String], { description: `Adds the passkey that the browser made. ${codesOnce}` })
  async addPasskey(
    @Arg("input", () => AddPasskeyInput) input: AddPasskeyInput,
    @Ctx() context: Context,
  ): Promise<string[]> {
    return addPasskey(context, input);
  }

  @Allow("signedIn")
  @Mutation(() => String, { description: "What the browser needs to prove oneself by a passkey, as WebAuthn's JSON." })
  async beginPasskeyProof(@Ctx() context: Context): Promise<string> {
    return beginPasskeyProof(context);
  }

  @Allow("signedIn")
  @Check({ proof: identityProofRules })
  @Mutation(() => Boolean, { description: "Removes the app; with the last method two-step sign-in is off." })
  async removeAuthenticatorApp(
    @Arg("proof", () => IdentityProofInput) proof: IdentityProofInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await removeAuthenticatorApp(context, proof);
    return true;
  }

  @Allow("signedIn")
  @Check({ proof: identityProofRules })
  @Mutation(() => Boolean, { description: "Removes a passkey; with the last method two-step sign-in is off." })
  async removePasskey(
    @Arg("id", () => ID) id: string,
    @Arg("proof", () => IdentityProofInput) proof: IdentityProofInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await removePasskey(context, id, proof);
    return true;
  }

  @Allow("signedIn")
  @Check({ proof: identityProofRules })
  @Mutation(() => [String], { description: "Ten new recovery codes, shown once; the older ones are gone." })
  async renewRecoveryCodes(
    @Arg("proof", () => IdentityProofInput) proof: IdentityProofInput,
    @Ctx() context: Context,
  ): Promise<string[]> {
    return renewRecoveryCodes(context, proof);
  }

  @Allow("signedIn")
  @Check({ proof: identityProofRules })
  @Mutation(() => Boolean, { description: "Turns two-step sign-in off, with all methods and recovery codes." })
  async turnOffTwoStepSignIn(
    @Arg("proof", () => IdentityProofInput) proof: IdentityProofInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await turnOffTwoStep(context, proof);
    return true;
  }
}
