import content from "content:pages/solutions-and-services";
import { paths } from "#web/platform/paths.ts";
import { CompanyPicture } from "#web/site/pictures/company.tsx";
import { ConversionPicture } from "#web/site/pictures/conversion.tsx";
import { ServiceControlsPicture, ServiceIntegrationPicture } from "#web/site/pictures/project-services.tsx";
import { ServiceConversionPicture, ServiceSupportPicture } from "#web/site/pictures/scheduling-services.tsx";
import { OffersPage, type OffersPageProps } from "#web/ui/picture-cards.tsx";

const pictures: OffersPageProps["pictures"] = {
  [paths.weAre.href()]: <CompanyPicture />,
  [paths.products.href()]: <ConversionPicture />,
  [paths.schedulingSupport.href()]: <ServiceSupportPicture />,
  [paths.scheduleConversion.href()]: <ServiceConversionPicture />,
  [paths.projectIntegration.href()]: <ServiceIntegrationPicture />,
  [paths.projectControls.href()]: <ServiceControlsPicture />,
};

const call: OffersPageProps["call"] = {
  title: "The first conversation is free",
  text: "Tell us what you need the schedule for, and whether you need an afternoon or a year of our time.",
};

export default function SolutionsAndServicesPage() {
  return <OffersPage content={content} id="offers" pictures={pictures} call={call} />;
}
