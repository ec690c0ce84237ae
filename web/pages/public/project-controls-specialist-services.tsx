import content from "content:pages/project-controls-specialist-services";
import { ServiceControlsPicture } from "#web/ui/pictures/service-controls.tsx";
import { ServicePage } from "#web/ui/public/service-page.tsx";

export default function ProjectControlsSpecialistServicesPage() {
  return <ServicePage content={content} picture={<ServiceControlsPicture />} />;
}
