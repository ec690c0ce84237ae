import { Text } from "@mantine/core";
import { type ReactNode, Suspense, useEffect } from "react";
import { findPlanByProductId, NOT_ON_SALE } from "#schema/plan-catalogue.ts";
import { clearProductIntent } from "#web/platform/landing.ts";
import { useCardEntryQuery, useSubscriptionStatusQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { CardPaymentsOff } from "#web/billing/card-fields/card-fields.tsx";
import { findProduct } from "./products.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { useParams } from "react-router-dom";
import NotFoundPage from "#web/ui/errors/error-404.tsx";

// Each customer needs only one of these two large parts.
const SubscribeForm = lazyPart(() => import("./subscribe-form.tsx"), "message");
const SubscriptionOverview = lazyPart(() => import("./subscription-overview.tsx"), "message");

/** Page layout for a customer with or without a subscription; `isActive` is undefined while loading. */
function Framed({ isActive, children }: { isActive: boolean | undefined; children: ReactNode }) {
  return (
    <PageLayout
      title="Manage Subscription"
      lead={isActive === false ? "Subscribe to Single User Licencing. You can cancel at any time." : undefined}
      width="split"
    >
      <Suspense fallback={<LoadingBlock label="Loading your subscription" />}>{children}</Suspense>
    </PageLayout>
  );
}

/**
 * Shows the customer's subscription, or the subscribe form if there is none.
 * @param productId price id or plan slug from the route
 */
function ManageSubscription({ productId }: { productId: string | undefined }) {
  const status = useSubscriptionStatusQuery({ fetchPolicy: "network-only" });
  const card = useCardEntryQuery();
  useEffect(() => {
    if (productId) clearProductIntent();
  }, [productId]);

  const found = status.data?.subscriptionStatus;
  if (!found)
    return (
      <Framed isActive={undefined}>
        <Loaded
          query={status}
          failure="Unable to fetch your subscription status."
          loading="Fetching your subscription"
        />
      </Framed>
    );

  const { products, subscription, message } = found;
  const chosen = productId ? findProduct(products, productId) : null;
  if (productId && !chosen && !findPlanByProductId(productId)) return <NotFoundPage />;
  if (subscription)
    return (
      <Framed isActive>
        <SubscriptionOverview status={found} subscription={subscription} />
      </Framed>
    );
  return (
    <Framed isActive={false}>
      <Text fw={560} mb="lg">
        {message}
      </Text>
      {productId && !chosen && (
        <Text fw={560} mb="lg">
          {NOT_ON_SALE}
        </Text>
      )}
      <Loaded query={card} failure="Unable to load the data." loading="Loading the form">
        {({ cardEntry }) =>
          cardEntry.kind === "OFF" ? (
            <CardPaymentsOff />
          ) : (
            <SubscribeForm products={products} chosen={chosen} cardEntry={cardEntry} reload={() => status.refetch()} />
          )
        }
      </Loaded>
    </Framed>
  );
}

/**
 * Page with the customer's subscription, or the subscribe form. An address with a plan selects it, is public, and
 * remembers the plan that a signed-out visitor chose.
 */
export default function ManageSubscriptionPage() {
  const { productId } = useParams();
  return <ManageSubscription key={productId ?? ""} productId={productId} />;
}
