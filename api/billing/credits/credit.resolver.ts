import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import { creditRules, type CreditValues, requestKeyRules } from "#schema/manual-invoice.ts";
import { getUser } from "#api/people/users/user.entity.ts";
import { Allow, createType, field } from "#api/platform/graphql/declare.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { CreditEntry } from "./credit-entry.entity.ts";
import { addCredit, getCredit } from "./credits.ts";

const CreditInput = createInput("CreditInput", creditRules, {
  description: "Credit for a customer.",
  fields: {
    amountCents: "AUD cents.",
    reason: "Shown to the customer.",
    isPaid:
      "Whether the customer paid the amount, for example for a cancelled invoice. Otherwise it is goodwill, which reduces the price and the GST of the next invoices.",
  },
});

export const CustomerCredit = createType(
  "CustomerCredit",
  "signedIn",
  "A customer's credit, which the next invoices use. Amounts are AUD cents.",
  {
    balanceCents: field.integer("The credit that is left."),
    goodwillCents: field.integer("The part of the balance that staff gave, which reduces prices."),
    entries: field.list(() => CreditEntry, "The latest 100 changes, newest first.", {
      access: Allow("signedIn", { scope: "billing:read" }),
    }),
  },
);
export type CustomerCredit = InstanceType<typeof CustomerCredit>;

@Resolver()
export class CreditResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Query(() => CustomerCredit, { description: "The credit of a customer." })
  async customerCredit(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<CustomerCredit> {
    return readCredit(context, (await getUser(context, userId)).id);
  }

  @Allow("customer", { scope: "billing:read" })
  @Query(() => CustomerCredit, { description: "The caller's credit." })
  async myCredit(@Ctx() context: Context): Promise<CustomerCredit> {
    return readCredit(context, getCallerId(context));
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => CreditEntry, { description: "Adds credit, which the customer's next invoices use." })
  async addCredit(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @CheckedArg("input", CreditInput) input: CreditValues,
    @Arg("key", () => String, { description: "A new UUID. A repeated call returns the first entry." }) key: string,
    @Ctx() context: Context,
  ): Promise<CreditEntry> {
    return addCredit(context, userId, input, check(requestKeyRules, { key }).key);
  }
}

async function readCredit({ em }: Context, userId: string): Promise<CustomerCredit> {
  const { goodwillCents, paidCents } = await getCredit(em, userId);
  const newest = { orderBy: { createdAt: "desc", id: "desc" }, limit: 100 } as const;
  return {
    balanceCents: goodwillCents + paidCents,
    goodwillCents,
    entries: await em.find(CreditEntry, { user: userId }, newest),
  };
}
