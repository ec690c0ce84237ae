import { useParams } from "react-router-dom";
import { ManageSubscription } from "#web/billing/subscriptions/manage-subscription.tsx";
import NotFoundPage from "./error-404.tsx";

/**
 * Manage Subscription with a plan selected. This address is public and remembers the plan that a signed-out visitor
 * chose.
 */
export default function ManageSubscriptionToPage() {
  const { productId = "" } = useParams();
  return <ManageSubscription key={productId} productId={productId} unknown={<NotFoundPage />} />;
}
