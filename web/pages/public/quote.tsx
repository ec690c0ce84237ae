import { QuotePage } from "#web/billing/quotes/quote-page.tsx";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Page opened by the link in the email of a quote. */
export default function QuoteRoute() {
  return (
    <PageLayout title="Quote" width="form" card>
      <QuotePage />
    </PageLayout>
  );
}
