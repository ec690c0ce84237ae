import content from "content:pages/solutions-and-services";
import { paths } from "#web/platform/paths.ts";
import { CompanyPicture } from "#web/site/pictures/company.tsx";
import { ConversionPicture } from "#web/site/pictures/conversion.tsx";
import { ServiceControlsPicture } from "#web/site/pictures/service-controls.tsx";
import { ServiceConversionPicture } from "#web/site/pictures/service-conversion.tsx";
import { ServiceIntegrationPicture } from "#web/site/pictures/service-integration.tsx";
import { ServiceSupportPicture } from "#web/site/pictures/service-support.tsx";
import { Band, ProseWithAside } from "#web/ui/band.tsx";
import { ContactCall } from "#web/ui/contact-call.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PictureCards, type PictureCardsProps } from "#web/ui/picture-cards.tsx";

const pictures: PictureCardsProps["pictures"] = {
  [paths.weAre.href()]: <CompanyPicture />,
  [paths.products.href()]: <ConversionPicture />,
  [paths.schedulingSupport.href()]: <ServiceSupportPicture />,
  [paths.scheduleConversion.href()]: <ServiceConversionPicture />,
  [paths.projectIntegration.href()]: <ServiceIntegrationPicture />,
  [paths.projectControls.href()]: <ServiceControlsPicture />,
};

export default function SolutionsAndServicesPage() {
  const { title, heading, lead, cards, html } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="offers">
        <PictureCards cards={cards} pictures={pictures} />
      </Band>
      <Band id="more" tone="surface">
        <ProseWithAside html={html}>
          <ContactCall
            mailbox="corporate"
            title="The first conversation is free"
            text="Tell us what you need the schedule for, and whether you need an afternoon or a year of our time."
          />
        </ProseWithAside>
      </Band>
    </>
  );
}
