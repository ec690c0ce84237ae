import { useParams } from "react-router-dom";
import { ManageSubscription } from "#web/selling/subscriptions/manage-subscription.tsx";
import NotFoundPage from "./error-404.tsx";

/** The same with a product chosen: a public address, which remembers the product of the signed-out. */
export default function ManageSubscriptionToPage() {
  const { productId = "" } = useParams();
  return <ManageSubscription key={productId} productId={productId} unknown={<NotFoundPage />} />;
}
