import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Resolver } from "type-graphql";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { viewAsCustomer } from "./view-as-customer.ts";

@VisibleTo("admin")
@ObjectType({ description: "A read-only view of the portal as a customer. It can't be refreshed." })
export class CustomerView {
  @Field(() => String, {
    description:
      "The customer's access token with the claim `viewer`, an ES256 JWT to send as `Authorization: Bearer`.",
  })
  accessToken!: string;

  @Field(() => Int, { description: "The number of seconds until the view ends." })
  expiresIn!: number;
}

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
