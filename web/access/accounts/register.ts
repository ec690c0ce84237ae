import type { RegisterValues } from "#schema/rules/account.ts";
import { hasTrialIntent } from "#web/platform/landing.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { fullAddressOf } from "#web/people/addresses/full-address.ts";
import type { RegisterMutation, RegisterMutationVariables } from "#web/generated/graphql.ts";
import operation from "./register.graphql?operation";

/**
 * Registers an account.
 * @returns the handle of its confirmation page
 * @throws ServerError with `extensions.fields` for the form, NetworkFailure
 */
export async function register(values: RegisterValues): Promise<string> {
  const input = {
    ...values,
    fullAddress: fullAddressOf(values),
    ...(hasTrialIntent() ? { trialIntent: true } : {}),
  };
  const data = await postGraphql<RegisterMutation, RegisterMutationVariables>(operation, { input });
  return data.register.confirmationHandle;
}
