import { ManageSubscription } from "#web/features/subscriptions/manage-subscription.tsx";

/** The subscription, or the form to subscribe. */
export default function ManageSubscriptionPage() {
  return <ManageSubscription />;
}
