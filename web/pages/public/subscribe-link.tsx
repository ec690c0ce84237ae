import { Navigate, useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";

/** Links of old to a product's subscription lead to its form. */
export default function SubscribeLinkPage() {
  const { product = "" } = useParams();
  return <Navigate to={paths.manageSubscriptionTo.href({ productId: product })} replace />;
}
