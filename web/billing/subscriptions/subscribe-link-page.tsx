import { Navigate, useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";

/** Redirects old links for a product's subscription to the subscribe form. */
export default function SubscribeLinkPage() {
  const { product = "" } = useParams();
  return <Navigate to={paths.manageSubscriptionTo.href({ productId: product })} replace />;
}
