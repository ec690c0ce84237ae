import content from "content:pages/project-controls-specialist-services";
import { ServiceControlsPicture } from "#web/site/pictures/project-services.tsx";
import { ServicePage } from "#web/ui/service-page.tsx";

export default function ProjectControlsSpecialistServicesPage() {
  return <ServicePage content={content} picture={<ServiceControlsPicture />} />;
}
