import content from "content:pages/project-integration-services";
import { ServiceIntegrationPicture } from "#web/ui/pictures/service-integration.tsx";
import { ServicePage } from "#web/ui/public/service-page.tsx";

export default function ProjectIntegrationServicesPage() {
  return <ServicePage content={content} picture={<ServiceIntegrationPicture />} />;
}
