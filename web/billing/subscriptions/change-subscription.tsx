import { Button, Stack } from "@mantine/core";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { useSubscriptionStatusQuery } from "#web/generated/graphql.ts";
import { FormActions } from "#web/ui/form/form-parts.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { ChangePlanForm } from "./change-plan-form.tsx";
import { NoSubscription } from "./subscription-notices.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Shows the form, or, if the subscription is overdue, cancelled or paused, what to do first. */
function ChangeSubscription() {
  const query = useSubscriptionStatusQuery({ fetchPolicy: "network-only" });
  const found = query.data?.subscriptionStatus;
  if (!found)
    return (
      <Loaded query={query} failure="Unable to fetch your subscription status." loading="Fetching your subscription" />
    );
  const { subscription, message, products } = found;
  if (!subscription) return <NoSubscription message={message} />;
  const { isPastDue, isCancelledAtPeriodEnd, pausedUntil } = subscription;
  if (!isPastDue && !isCancelledAtPeriodEnd && !pausedUntil)
    return <ChangePlanForm subscription={subscription} products={products} />;
  return (
    <Stack gap="lg">
      <Callout tone={isPastDue ? "critical" : "notice"}>
        <p>{message}</p>
      </Callout>
      <FormActions>
        {isPastDue ? (
          <Button component={Link} to={paths.managePaymentDetails.href()}>
            Update Card
          </Button>
        ) : (
          <Button component={Link} to={paths.manageSubscription.href()}>
            Billing
          </Button>
        )}
      </FormActions>
    </Stack>
  );
}

/** Page for changing the subscription level. */
export default function ChangeSubscriptionPage() {
  return (
    <PageLayout
      title={paths.changeSubscription.title}
      back={{ to: paths.manageSubscription.href(), label: "Billing" }}
      width="split"
    >
      <ChangeSubscription />
    </PageLayout>
  );
}
