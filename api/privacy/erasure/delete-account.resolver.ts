import { Arg, Ctx, Field, InputType, Mutation, Resolver } from "type-graphql";
import { deleteAccountRules } from "#schema/rules/account.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { deleteAccount } from "./delete-account.ts";

@InputType()
export class DeleteMyAccountInput {
  @Field(() => String, { description: "The password again." })
  password!: string;
}

@Resolver()
export class DeleteAccountResolver {
  @Allow("customer")
  @Check({ input: deleteAccountRules })
  @Mutation(() => Boolean, {
    description:
      "Closes the caller's account for good, ends its sessions and licences, and starts erasing everything personal. Answers once the account is closed; an email with a certificate follows when everything is erased.",
  })
  async deleteMyAccount(
    @Arg("input", () => DeleteMyAccountInput) input: DeleteMyAccountInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await deleteAccount(context, input);
    return true;
  }
}
