import content from "content:pages/scheduling-support-services";
import { ServiceSupportPicture } from "#web/ui/pictures/service-support.tsx";
import { ServicePage } from "#web/ui/public/service-page.tsx";

export default function SchedulingSupportServicesPage() {
  return <ServicePage content={content} picture={<ServiceSupportPicture />} />;
}
