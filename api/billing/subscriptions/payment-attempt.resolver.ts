import { Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import { linkUser, User } from "#api/people/users/user.entity.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { createLink, createLinks, linkReference } from "#api/platform/graphql/links.ts";
import { createLoader, createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { Allow, declareEnum } from "#api/platform/graphql/declare.ts";
import { findLatestInvoiceIds } from "#api/billing/invoices/replaced-invoices.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { PaymentAttempt } from "./payment-attempt.entity.ts";
import { findPlanPrices, PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { PriceQuote } from "#api/billing/plans/plan.resolver.ts";
import { linkLicence } from "#api/licensing/licences/list-licences.ts";
import { BillingSubscription } from "./subscription.resolver.ts";

export const PaymentStatus = declareEnum("PaymentStatus", "Outcome of an attempt to charge a card.", {
  PAID: "Paid in full.",
  FAILED: "The payment failed.",
  PARTLY_REFUNDED: "Paid, and refunded in part.",
  REFUNDED: "Paid, and refunded in full.",
});
export type PaymentStatus = keyof typeof PaymentStatus;

const paymentsOfUser = createRelationLoader<PaymentAttempt>({
  entity: PaymentAttempt,
  of: "user",
  orderBy: { at: "desc", id: "desc" },
});

const findInvoiceOfPayment = createLoader(
  async ({ em }: Pick<Context, "em">, ids: readonly string[]): Promise<(TaxInvoice | null)[]> => {
    const paid = await em.find(TaxInvoice, { providerInvoiceId: { $in: [...ids] } });
    const latest = await findLatestInvoiceIds(
      em,
      paid.map(({ id }) => id),
    );
    const reissued = await em.find(TaxInvoice, { id: { $in: [...latest.values()] } });
    return ids.map((id) => {
      const first = paid.find((invoice) => invoice.providerInvoiceId === id);
      return reissued.find((invoice) => invoice.id === latest.get(first?.id ?? "")) ?? null;
    });
  },
);

@Resolver(() => PaymentAttempt)
export class PaymentAttemptResolver {
  @Allow("regular", { scope: "billing:read" })
  @Query(() => [PaymentAttempt], { description: "The attempts to charge the caller's card, newest first." })
  async paymentAttempts(@Ctx() context: Context): Promise<PaymentAttempt[]> {
    return paymentsOfUser(context, getCallerId(context));
  }

  @FieldResolver(() => PaymentStatus, { description: "Outcome of the attempt." })
  status(@Root() { reason, refundedCents, amountCents }: PaymentAttempt): PaymentStatus {
    if (reason !== null) return PaymentStatus.FAILED;
    if (refundedCents === 0) return PaymentStatus.PAID;
    return refundedCents < amountCents ? PaymentStatus.PARTLY_REFUNDED : PaymentStatus.REFUNDED;
  }

  @Allow("signedIn", { scope: "billing:read" })
  @FieldResolver(() => TaxInvoice, { nullable: true, description: "The tax invoice of a successful payment." })
  async taxInvoice(@Root() attempt: PaymentAttempt, @Ctx() context: Context): Promise<TaxInvoice | null> {
    return attempt.reason === null ? findInvoiceOfPayment(context, attempt.providerInvoiceId) : null;
  }
}

@Resolver(() => User)
export class PaymentsOfUserResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => [PaymentAttempt], {
    description: "The attempts to charge the user's card, newest first. Admins only.",
  })
  async paymentAttempts(@Root() user: User, @Ctx() context: Context): Promise<PaymentAttempt[]> {
    return paymentsOfUser(context, user.id);
  }
}

const loadPlanPrice = createLoader(
  async ({ em }: Pick<Context, "em">, ids: readonly string[]): Promise<(PlanPrice | null)[]> => {
    const found = await findPlanPrices(em, ids);
    return ids.map((id) => found.get(id) ?? null);
  },
);

const linkPlanPrice = createLink(() => PlanPrice, loadPlanPrice);
const readsUsers = Allow("admin", { roles: customerStaff, scope: "users:read" });
const readsLicences = Allow("admin", { roles: customerStaff, scope: "licences:read" });
const readsOwnBilling = Allow("regular", { scope: "billing:read" });

/** Fields for the object behind each exposed ID (decision 0131). */
export const subscriptionLinks = [
  createLinks(() => BillingSubscription, {
    user: linkUser("userId", "The customer.", readsUsers),
    licence: linkLicence("licenceId", "The licence that the subscription pays for.", readsLicences),
  }),
  createLinks(() => PaymentAttempt, {
    user: linkReference("user", () => User, "The customer. For admins only.", readsUsers),
  }),
  createLinks(() => PriceQuote, { planPrice: linkPlanPrice("planPriceId", "The plan price.", readsOwnBilling) }),
];
