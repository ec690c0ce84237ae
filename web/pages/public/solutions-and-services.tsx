import content from "content:pages/solutions-and-services";
import { paths } from "#web/app/paths.ts";
import { CompanyPicture } from "#web/features/pictures/company.tsx";
import { ConversionPicture } from "#web/features/pictures/conversion.tsx";
import { ServiceControlsPicture } from "#web/features/pictures/service-controls.tsx";
import { ServiceConversionPicture } from "#web/features/pictures/service-conversion.tsx";
import { ServiceIntegrationPicture } from "#web/features/pictures/service-integration.tsx";
import { ServiceSupportPicture } from "#web/features/pictures/service-support.tsx";
import { Band } from "#web/features/public-page/band.tsx";
import { ContactCall } from "#web/features/public-page/contact-call.tsx";
import { PageHero } from "#web/features/public-page/page-hero.tsx";
import { PictureCards } from "#web/features/public-page/picture-cards.tsx";
import { ProseBeside } from "#web/features/public-page/prose-beside.tsx";

const pictures = {
  [paths.weAre.href()]: <CompanyPicture />,
  [paths.products.href()]: <ConversionPicture />,
  [paths.schedulingSupport.href()]: <ServiceSupportPicture />,
  [paths.scheduleConversion.href()]: <ServiceConversionPicture />,
  [paths.projectIntegration.href()]: <ServiceIntegrationPicture />,
  [paths.projectControls.href()]: <ServiceControlsPicture />,
};

/** The company, its product and its services. */
export default function SolutionsAndServicesPage() {
  const { title, heading, lead, cards, html } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="offers">
        <PictureCards cards={cards} pictures={pictures} />
      </Band>
      <Band id="more" tone="surface">
        <ProseBeside html={html}>
          <ContactCall
            mailbox="corporate"
            title="The first conversation costs nothing"
            text="An afternoon or a year of somebody's time: tell us what the schedule has to do, and for whom."
          />
        </ProseBeside>
      </Band>
    </>
  );
}
