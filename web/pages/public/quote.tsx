import { QuotePage } from "#web/billing/quotes/quote-page.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Page opened by the link in the email of a quote. */
export default function QuoteRoute() {
  return (
    <PageLayout title={paths.quote.title} width="form" card>
      <QuotePage />
    </PageLayout>
  );
}
