import content from "content:pages/services";
import { paths } from "#web/platform/paths.ts";
import { ServiceConversionPicture } from "#web/site/pictures/service-conversion.tsx";
import { ServiceSupportPicture } from "#web/site/pictures/service-support.tsx";
import { Band, ProseWithAside } from "#web/ui/band.tsx";
import { ContactCall } from "#web/ui/contact-call.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PictureCards, type PictureCardsProps } from "#web/ui/picture-cards.tsx";

const pictures: PictureCardsProps["pictures"] = {
  [paths.schedulingSupport.href()]: <ServiceSupportPicture />,
  [paths.scheduleConversion.href()]: <ServiceConversionPicture />,
};

export default function ServicesPage() {
  const { title, heading, lead, cards, html } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="services">
        <PictureCards cards={cards} pictures={pictures} />
      </Band>
      <Band id="more" tone="surface">
        <ProseWithAside html={html}>
          <ContactCall
            mailbox="corporate"
            title="Not sure which?"
            text="Describe the schedule and the deadline. We'll tell you which service fits, or whether the free trial is all you need."
          />
        </ProseWithAside>
      </Band>
    </>
  );
}
