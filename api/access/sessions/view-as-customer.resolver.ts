import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { viewAsCustomer, CustomerView } from "./view-as-customer.ts";

@Resolver()
export class ViewAsCustomerResolver {
  @Allow("admin", { roles: ["support"], harm: "access" })
  @Mutation(() => CustomerView, {
    description: "Starts a read-only view of the portal as a customer, for 15 minutes.",
  })
  async viewAsCustomer(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<CustomerView> {
    return viewAsCustomer(context, userId);
  }
}
