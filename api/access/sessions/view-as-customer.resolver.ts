import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Resolver } from "type-graphql";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { viewAsCustomer } from "./view-as-customer.ts";

@ObjectType({ description: "A view of the portal as a customer: it may only read, and is not refreshed." })
export class CustomerView {
  @Field(() => String, {
    description: "ES256 JWT for `Authorization: Bearer`, of the customer, with the claim `viewer`.",
  })
  accessToken!: string;

  @Field(() => Int, { description: "Seconds until the view ends." })
  expiresIn!: number;
}

@Resolver()
export class ViewAsCustomerResolver {
  @Allow("admin")
  @Mutation(() => CustomerView, {
    description: "Lets an admin see the portal as a customer sees it, for 15 minutes, with nothing to be changed.",
  })
  async viewAsCustomer(@Arg("userId", () => ID) userId: string, @Ctx() context: Context): Promise<CustomerView> {
    return viewAsCustomer(context, userId);
  }
}
