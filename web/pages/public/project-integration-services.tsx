import content from "content:pages/project-integration-services";
import { ServiceIntegrationPicture } from "#web/features/pictures/service-integration.tsx";
import { ServicePage } from "#web/features/public-page/service-page.tsx";

/** Several contractors' schedules in one. */
export default function ProjectIntegrationServicesPage() {
  return <ServicePage content={content} picture={<ServiceIntegrationPicture />} />;
}
