import "reflect-metadata";
import type { FastifyInstance } from "fastify";
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";
import { buildSchemaSync } from "type-graphql";
import { MomentScalar } from "#api/platform/graphql/scalars.ts";
import { AccountAccessResolver } from "#api/audit/change-log/account-access.resolver.ts";
import { ProfileResolver } from "#api/access/profile/profile.resolver.ts";
import { DeleteAccountResolver } from "#api/privacy/erasure/delete-account.resolver.ts";
import { PasswordResolver } from "#api/access/passwords/password.resolver.ts";
import { RegistrationResolver } from "#api/access/registration/registration.resolver.ts";
import { UserPageResolver, UserResolver } from "#api/staff/users/user.resolver.ts";
import { UserFormResolver } from "#api/staff/users/user-form.resolver.ts";
import { AddressResolver } from "#api/people/addresses/address.resolver.ts";
import { AuthResolver } from "#api/access/sessions/auth.resolver.ts";
import { SessionResolver } from "#api/access/sessions/session.resolver.ts";
import { ViewAsCustomerResolver } from "#api/access/sessions/view-as-customer.resolver.ts";
import { SinceYesterdayResolver } from "#api/staff/dashboard/since-yesterday.ts";
import { StatusResolver } from "#api/staff/status/status.resolver.ts";
import { SentEmailResolver } from "#api/staff/emails/sent-email.resolver.ts";
import { CommentResolver } from "#api/staff/comments/comment.resolver.ts";
import { OpenFormResolver } from "#api/staff/presence/open-form.resolver.ts";
import { ContactResolver } from "#api/staff/contacts/contact.resolver.ts";
import { BulkResolver } from "#api/staff/bulk/bulk.resolver.ts";
import { ContactFormResolver } from "#api/messaging/contact-form/contact-form.resolver.ts";
import { ErasureResolver } from "#api/privacy/erasure/erasure.resolver.ts";
import { LeaseResolver, LicenceLeasesResolver } from "#api/licensing/leases/lease.resolver.ts";
import { SeatUsageResolver } from "#api/licensing/leases/seat-usage.resolver.ts";
import { DeviceAuthorizationResolver } from "#api/licensing/device-authorizations/device-authorization.resolver.ts";
import { DeviceResolver } from "#api/licensing/devices/device.resolver.ts";
import { OfflineActivationResolver } from "#api/licensing/devices/offline-activation.resolver.ts";
import { InvoiceResolver, InvoicesOfUserResolver } from "#api/billing/invoices/invoice.resolver.ts";
import { LicenceAdminResolver } from "#api/licensing/licences/licence-admin.resolver.ts";
import { LicencePeriodResolver } from "#api/billing/subscriptions/licence-period.resolver.ts";
import { LicenceResolver } from "#api/licensing/licences/licence.resolver.ts";
import {
  DeviceHistoryResolver,
  LicenceHistoryResolver,
  LicenceEventResolver,
} from "#api/licensing/licences/licence-event.resolver.ts";
import {
  PersonalAccessTokenResolver,
  TokenScopesResolver,
  TokensOfUserResolver,
} from "#api/access/personal-access-tokens/personal-access-token.resolver.ts";
import { ClearTwoStepResolver } from "#api/access/two-step/clear-two-step.resolver.ts";
import { TwoStepResolver } from "#api/access/two-step/two-step.resolver.ts";
import { ChannelOffersResolver, SoftwareBuildResolver } from "#api/releases/software/software-build.resolver.ts";
import { SoftwareResolver } from "#api/releases/software/software.resolver.ts";
import { UploadSoftwareResolver } from "#api/releases/software/upload/upload.resolver.ts";
import { CreditResolver } from "#api/billing/credits/credit.resolver.ts";
import { InvoiceListResolver } from "#api/billing/invoices/invoice-list.resolver.ts";
import { ReissueInvoiceResolver } from "#api/billing/invoices/reissue-invoice.resolver.ts";
import { ManualInvoiceResolver } from "#api/billing/invoices/manual-invoice.resolver.ts";
import { MyInvoicesResolver } from "#api/billing/invoices/my-invoices.resolver.ts";
import { NextStepResolver } from "#api/billing/next-step/next-step.resolver.ts";
import { CardPaymentResolver } from "#api/billing/payments/card-payment.resolver.ts";
import {
  PaymentResolver,
  PaymentsOfInvoiceResolver,
  ReceivedPaymentsOfUserResolver,
} from "#api/billing/payments/payment.resolver.ts";
import { BillingContactResolver } from "#api/billing/billing-contacts/billing-contact.resolver.ts";
import { PeriodLockResolver } from "#api/billing/period-lock/period-lock.resolver.ts";
import { QuoteResolver } from "#api/billing/quotes/quote.resolver.ts";
import { PlanResolver } from "#api/billing/plans/plan.resolver.ts";
import { SeatsResolver } from "#api/billing/seats/seats.resolver.ts";
import { ManagedPlanResolver, ManagedPriceResolver, PlansResolver } from "#api/billing/prices/plans.resolver.ts";
import { MoneyResolver } from "#api/billing/revenue/money.resolver.ts";
import { TaxResolver } from "#api/billing/tax/tax.resolver.ts";
import { PromoCodeResolver } from "#api/billing/promo-codes/promo-code.resolver.ts";
import { PaymentAttemptResolver, PaymentsOfUserResolver } from "#api/billing/subscriptions/payment-attempt.resolver.ts";
import {
  BillingSubscriptionResolver,
  SubscriptionsOfUserResolver,
} from "#api/billing/subscriptions/subscription.resolver.ts";
import { RefundResolver, RefundsOfUserResolver } from "#api/billing/refunds/refund.resolver.ts";
import { SubscriptionResolver } from "#api/billing/subscriptions/my-subscription.resolver.ts";
import { TrialResolver } from "#api/licensing/trials/trial.resolver.ts";
import { DashboardResolver } from "#api/staff/dashboard/dashboard.resolver.ts";
import { AttentionOfUserResolver, AttentionResolver } from "#api/staff/attention/attention.resolver.ts";
import { AuditResolver } from "#api/staff/audit-log/audit.resolver.ts";
import { AccountActivityResolver } from "#api/access/sessions/account-activity.resolver.ts";
import { SecurityEventResolver } from "#api/staff/security-events/security-event.resolver.ts";
import { ReportResolver } from "#api/staff/reports/report.resolver.ts";
import { SearchResolver } from "#api/staff/search/search.resolver.ts";
import { TimelineEntryResolver, TimelineResolver } from "#api/staff/timeline/timeline.resolver.ts";
import { SavedViewResolver } from "#api/staff/saved-views/saved-view.resolver.ts";
import { SavedReportResolver } from "#api/staff/saved-reports/saved-report.resolver.ts";
import {
  WebhookAttemptResolver,
  WebhookDeliveryResolver,
  WebhookResolver,
} from "#api/webhooks/endpoints/webhook.resolver.ts";
import { licenceLinks } from "#api/licensing/licences/licence-links.resolver.ts";
import { invoiceLinks } from "#api/billing/invoices/invoice-links.resolver.ts";
import { subscriptionLinks } from "#api/billing/subscriptions/subscription-links.resolver.ts";
import { staffLinks } from "#api/staff/users/staff-links.resolver.ts";
import { checkAllowed } from "#api/platform/graphql/allow.ts";
import { buildWebhookSchema } from "#api/webhooks/endpoints/webhook-data.ts";
import { webhookEvents } from "#schema/webhooks.ts";
import { createCachedText } from "#api/platform/http/cached-text.ts";

let built: GraphQLSchema | undefined;

/** Builds the product's GraphQL schema from the decorators. Later calls return the same schema. */
export function buildGraphqlSchema(): GraphQLSchema {
  built ??= buildSchemaSync({
    scalarsMap: [{ type: Date, scalar: MomentScalar }],
    resolvers: [
      AccountAccessResolver,
      AuthResolver,
      PasswordResolver,
      RegistrationResolver,
      ProfileResolver,
      SessionResolver,
      ViewAsCustomerResolver,
      PersonalAccessTokenResolver,
      TokenScopesResolver,
      TokensOfUserResolver,
      TwoStepResolver,
      ClearTwoStepResolver,
      UserResolver,
      UserPageResolver,
      UserFormResolver,
      DeleteAccountResolver,
      ErasureResolver,
      LicenceResolver,
      LicenceAdminResolver,
      LicencePeriodResolver,
      DeviceResolver,
      OfflineActivationResolver,
      LeaseResolver,
      SeatUsageResolver,
      LicenceLeasesResolver,
      LicenceEventResolver,
      LicenceHistoryResolver,
      DeviceHistoryResolver,
      DeviceAuthorizationResolver,
      TrialResolver,
      PlanResolver,
      PromoCodeResolver,
      InvoiceResolver,
      InvoicesOfUserResolver,
      SubscriptionResolver,
      ManualInvoiceResolver,
      InvoiceListResolver,
      ReissueInvoiceResolver,
      PeriodLockResolver,
      BillingContactResolver,
      MyInvoicesResolver,
      NextStepResolver,
      QuoteResolver,
      CardPaymentResolver,
      PaymentResolver,
      PaymentsOfInvoiceResolver,
      ReceivedPaymentsOfUserResolver,
      CreditResolver,
      PaymentAttemptResolver,
      PaymentsOfUserResolver,
      BillingSubscriptionResolver,
      SubscriptionsOfUserResolver,
      RefundResolver,
      RefundsOfUserResolver,
      SoftwareResolver,
      UploadSoftwareResolver,
      SoftwareBuildResolver,
      ChannelOffersResolver,
      ContactFormResolver,
      AddressResolver,
      ContactResolver,
      OpenFormResolver,
      CommentResolver,
      AttentionResolver,
      AttentionOfUserResolver,
      StatusResolver,
      SentEmailResolver,
      SinceYesterdayResolver,
      DashboardResolver,
      AuditResolver,
      AccountActivityResolver,
      SecurityEventResolver,
      SearchResolver,
      TimelineEntryResolver,
      TimelineResolver,
      BulkResolver,
      SavedReportResolver,
      SavedViewResolver,
      ReportResolver,
      TaxResolver,
      MoneyResolver,
      PlansResolver,
      SeatsResolver,
      ManagedPlanResolver,
      ManagedPriceResolver,
      WebhookResolver,
      WebhookDeliveryResolver,
      WebhookAttemptResolver,
      ...licenceLinks,
      ...invoiceLinks,
      ...subscriptionLinks,
      ...staffLinks,
    ],
    authChecker: checkAllowed,
    validate: false,
    // Apollo checks the schema when it starts.
    skipCheck: true,
  });
  for (const [root, description] of Object.entries(rootDescriptions)) {
    const type = built.getType(root);
    if (type) type.description = description;
  }
  return built;
}

const rootDescriptions = {
  Query: "Reads. Lists come in pages of one shape, and each id has a field for its object.",
  Mutation:
    "Changes. Each one returns what it changed, or an expected refusal as data with a code; faults are errors with a code.",
};

const banner = "Generated by `npm run generate` from the decorators in api; do not edit.";

// The type `Subscription` is a paid plan. Without explicit roots, GraphQL would treat it as the root type for
// subscriptions.
const roots = "schema {\n  query: Query\n  mutation: Mutation\n}";

/** Returns the contents of `schema/schema.graphql`. */
export function formatSchema(schema: GraphQLSchema): string {
  return `# ${banner}\n\n${roots}\n\n${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Returns the contents of `schema/webhook-events.json`: the JSON schema of each webhook event. */
export const formatWebhookSchema = (): string => `${JSON.stringify(buildWebhookSchema(webhookEvents), null, 2)}\n`;

/** Serves the schema definition at `/schema.graphql` to everyone, byte for byte the same as `schema/schema.graphql`. */
export function serveSchema(app: FastifyInstance, schema: GraphQLSchema): void {
  const sendEvents = createCachedText(formatWebhookSchema);
  app.get("/webhook-events.json", { compress: false, exposeHeadRoute: true }, (request, reply) =>
    sendEvents(request, reply, "application/schema+json; charset=utf-8"),
  );
  const send = createCachedText(() => formatSchema(schema));
  app.get("/schema.graphql", { compress: false, exposeHeadRoute: true }, (request, reply) =>
    send(request, reply, "application/graphql; charset=utf-8"),
  );
}
