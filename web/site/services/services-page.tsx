import content from "content:pages/services";
import { paths } from "#web/platform/paths.ts";
import { ServiceConversionPicture, ServiceSupportPicture } from "#web/site/pictures/scheduling-services.tsx";
import { OffersPage, type OffersPageProps } from "#web/ui/picture-cards.tsx";

const pictures: OffersPageProps["pictures"] = {
  [paths.schedulingSupport.href()]: <ServiceSupportPicture />,
  [paths.scheduleConversion.href()]: <ServiceConversionPicture />,
};

const call: OffersPageProps["call"] = {
  title: "Not sure which?",
  text: "Describe the schedule and the deadline. We'll tell you which service fits, or whether the free trial is all you need.",
};

export default function ServicesPage() {
  return <OffersPage content={content} id="services" pictures={pictures} call={call} />;
}
