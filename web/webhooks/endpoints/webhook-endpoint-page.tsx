import { useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { WebhookEndpoint } from "./webhook-endpoint.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page of one webhook endpoint with its delivery log. */
export default function WebhookEndpointPage() {
  const { endpointId = "" } = useParams();
  return (
    <PageLayout title={paths.webhookEndpoint.title} back={{ to: paths.webhooks.href(), label: "Webhooks" }}>
      <WebhookEndpoint key={endpointId} endpointId={endpointId} />
    </PageLayout>
  );
}
