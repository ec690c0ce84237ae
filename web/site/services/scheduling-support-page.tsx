import content from "content:pages/scheduling-support-services";
import { ServiceSupportPicture } from "#web/site/pictures/scheduling-services.tsx";
import { ServicePage } from "#web/ui/service-page.tsx";

export default function SchedulingSupportServicesPage() {
  return <ServicePage content={content} picture={<ServiceSupportPicture />} />;
}
