import content from "content:pages/project-controls-specialist-services";
import { ServiceControlsPicture } from "#web/features/pictures/service-controls.tsx";
import { ServicePage } from "#web/features/public-page/service-page.tsx";

/** Project controls people, for a phase or a whole project. */
export default function ProjectControlsSpecialistServicesPage() {
  return <ServicePage content={content} picture={<ServiceControlsPicture />} />;
}
