import content from "content:pages/schedule-conversion-services";
import { ServiceConversionPicture } from "#web/ui/pictures/service-conversion.tsx";
import { ServicePage } from "#web/ui/public/service-page.tsx";

export default function ScheduleConversionServicesPage() {
  return <ServicePage content={content} picture={<ServiceConversionPicture />} />;
}
