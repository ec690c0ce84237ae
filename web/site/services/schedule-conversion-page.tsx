import content from "content:pages/schedule-conversion-services";
import { ServiceConversionPicture } from "#web/site/pictures/scheduling-services.tsx";
import { ServicePage } from "#web/ui/service-page.tsx";

export default function ScheduleConversionServicesPage() {
  return <ServicePage content={content} picture={<ServiceConversionPicture />} />;
}
