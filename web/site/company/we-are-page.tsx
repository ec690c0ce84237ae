import content from "content:pages/we-are";
import { Mission } from "./mission.tsx";
import { People } from "./people.tsx";
import { CompanyPicture } from "#web/site/pictures/company.tsx";
import { Band, ProseWithAside } from "#web/ui/band.tsx";
import { BarSteps } from "#web/ui/bar-steps.tsx";
import { ContactCall } from "#web/ui/contact-call.tsx";
import { LinkRows } from "#web/ui/picture-cards.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";

export default function WeArePage() {
  const { title, heading, lead, mission, directors, businessSpecialist, journey, community, html } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} picture={<CompanyPicture />} />
      <Band id="mission" hasOwnTitle tone="surface">
        <Mission heading={mission.heading} text={mission.text} points={mission.points} />
      </Band>
      <People directors={directors.heading} businessSpecialist={businessSpecialist.heading} />
      <Band id="journey" title={journey.heading} tone="surface">
        <BarSteps steps={journey.points.map(({ label, text }) => ({ title: label, text }))} />
      </Band>
      <Band id="why">
        <ProseWithAside html={html}>
          <ContactCall
            mailbox="sales"
            title="Write to us"
            text="Send us a question, a schedule that doesn't convert, or an idea for the next version."
          />
        </ProseWithAside>
      </Band>
      <Band id={community.id} title={community.heading} text={community.text} tone="surface">
        <LinkRows rows={community.cards} />
      </Band>
    </>
  );
}
