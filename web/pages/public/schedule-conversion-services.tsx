import content from "content:pages/schedule-conversion-services";
import { ServiceConversionPicture } from "#web/features/pictures/service-conversion.tsx";
import { ServicePage } from "#web/features/public-page/service-page.tsx";

/** Schedules converted for those who send them. */
export default function ScheduleConversionServicesPage() {
  return <ServicePage content={content} picture={<ServiceConversionPicture />} />;
}
