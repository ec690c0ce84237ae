import { paths } from "#web/platform/paths.ts";
import { PaymentDetails } from "./payment-details-form.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for changing the card that the subscription is charged to. */
export default function ManagePaymentDetailsPage() {
  return (
    <PageLayout
      title={paths.managePaymentDetails.title}
      back={{ to: paths.manageSubscription.href(), label: "Billing" }}
      width="narrow"
      card
    >
      <PaymentDetails />
    </PageLayout>
  );
}
