import { useParams } from "react-router-dom";
import NotFoundPage from "#web/ui/errors/error-404.tsx";
import { ManageSubscription } from "./manage-subscription.tsx";

/**
 * Page with the customer's subscription, or the subscribe form. An address with a plan selects it, is public, and
 * remembers the plan that a signed-out visitor chose.
 */
export default function ManageSubscriptionPage() {
  const { productId } = useParams();
  return (
    <ManageSubscription
      key={productId ?? ""}
      {...(productId === undefined ? {} : { productId, unknown: <NotFoundPage /> })}
    />
  );
}
