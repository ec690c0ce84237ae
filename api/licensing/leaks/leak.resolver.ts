import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql";
import { ACCEPTED_DAYS } from "#schema/leaks.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { acceptLicenceUse, askAboutLicenceUse, reissueLicenceCode } from "./answer-leak.ts";

@Resolver()
export class LeakResolver {
  @Allow("admin", { roles: ["support"], harm: "others", scope: "licences:write" })
  @Mutation(() => Licence, {
    description:
      "Asks a customer by email whether the use of a licence in the list `LEAKED_LICENCES` is theirs. At most once a day.",
  })
  async askAboutLicenceUse(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return askAboutLicenceUse(context, userId, licenceId);
  }

  @Allow("admin", { roles: ["support"], harm: "others", scope: "licences:write" })
  @Mutation(() => Licence, {
    description: `Takes a licence off the list \`LEAKED_LICENCES\` for ${ACCEPTED_DAYS} days, because the customer explained its use.`,
  })
  async acceptLicenceUse(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return acceptLicenceUse(context, userId, licenceId);
  }

  @Allow("admin", { roles: ["support"], harm: "money" })
  @Mutation(() => Licence, {
    description:
      "Replaces the code of a licence and emails the new one to the customer. The devices stay and need the new code; the old one gets `LICENCE_NOT_FOUND`. At most once an hour.",
  })
  async reissueLicenceCode(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return reissueLicenceCode(context, userId, licenceId);
  }
}
