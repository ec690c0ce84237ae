import content from "content:pages/project-integration-services";
import { ServiceIntegrationPicture } from "#web/site/pictures/project-services.tsx";
import { ServicePage } from "#web/ui/service-page.tsx";

export default function ProjectIntegrationServicesPage() {
  return <ServicePage content={content} picture={<ServiceIntegrationPicture />} />;
}
