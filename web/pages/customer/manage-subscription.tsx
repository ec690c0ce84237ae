import { ManageSubscription } from "#web/billing/subscriptions/manage-subscription.tsx";

/** Page with the customer's subscription, or the subscribe form. */
export default function ManageSubscriptionPage() {
  return <ManageSubscription />;
}
