import { ManageSubscription } from "#web/selling/subscriptions/manage-subscription.tsx";

/** The subscription, or the form to subscribe. */
export default function ManageSubscriptionPage() {
  return <ManageSubscription />;
}
