import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import { billingContactRules, type BillingContactValues } from "#schema/billing-details.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { getUser } from "#api/people/users/user.entity.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { BillingContact } from "./billing-contact.entity.ts";
import { getBillingContact, updateBillingContact } from "./billing-contacts.ts";

const BillingContactInput = createInput("BillingContactInput", billingContactRules, {
  description: "Who gets a customer's invoices besides the customer. Omitted values are cleared.",
  fields: {
    name: "Name of the billing contact.",
    email: "Email address of the billing contact.",
    secondEmail: "Email address of a second recipient.",
    purchaseOrder: "Purchase order number of new invoices.",
  },
});

@Resolver()
export class BillingContactResolver {
  @Allow("customer", { scope: "billing:read" })
  @Query(() => BillingContact, { description: "Who gets the caller's invoices besides the caller." })
  async myBillingContact(@Ctx() context: Context): Promise<BillingContact> {
    return getBillingContact(context.em, getCallerId(context));
  }

  @Allow("customer", { scope: "session" })
  @Mutation(() => BillingContact, { description: "Changes who gets the caller's invoices besides the caller." })
  async updateMyBillingContact(
    @CheckedArg("input", BillingContactInput) input: BillingContactValues,
    @Ctx() context: Context,
  ): Promise<BillingContact> {
    return updateBillingContact(context, getCallerId(context), input);
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Query(() => BillingContact, { description: "Who gets a customer's invoices besides the customer." })
  async billingContact(
    @Arg("userId", () => ID, { description: "The customer." }) userId: string,
    @Ctx() context: Context,
  ): Promise<BillingContact> {
    return getBillingContact(context.em, (await getUser(context, userId)).id);
  }

  @Allow("admin", { roles: ["finance"], scope: "session", harm: "others" })
  @Mutation(() => BillingContact, { description: "Changes who gets a customer's invoices besides the customer." })
  async updateBillingContact(
    @Arg("userId", () => ID, { description: "The customer." }) userId: string,
    @CheckedArg("input", BillingContactInput) input: BillingContactValues,
    @Ctx() context: Context,
  ): Promise<BillingContact> {
    return updateBillingContact(context, userId, input);
  }
}
