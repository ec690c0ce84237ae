import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { YearlyAllowance } from "./deactivation-allowance.type.ts";
import { resetDeactivationCounter } from "./reset-deactivations.ts";

@Resolver()
export class DeactivationCounterResolver {
  @Allow("admin")
  @Mutation(() => YearlyAllowance, {
    description: "Devices that the customer freed before no longer count against their yearly limit.",
  })
  async resetDeactivationCounter(
    @Arg("userId", () => ID) userId: string,
    @Ctx() context: Context,
  ): Promise<YearlyAllowance> {
    return resetDeactivationCounter(context, userId);
  }
}
