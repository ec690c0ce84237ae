import products from "content:levels";
import content from "content:pages/trial-and-subscribe";
import { CorporateOptions } from "./corporate-options.tsx";
import { LevelPanels } from "./level-panel.tsx";
import { OfferIllustration } from "./offer-illustration.tsx";
import { ServiceOffers } from "./service-offers.tsx";
import { SubscribeSteps } from "./subscribe-steps.tsx";
import { Band } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { SectionNav } from "#web/ui/section-nav.tsx";

const { singleUser, corporate, services } = content;
const flagship = products.find(({ retiring }) => !retiring);

/** Page with all products and services for sale, in three sections. */
export default function TrialAndSubscribePage() {
  return (
    <>
      <PageHero
        title={content.title}
        heading={content.heading}
        lead={content.lead}
        picture={flagship && <OfferIllustration slug={flagship.slug} label={content.pictureLabel} />}
      />
      <SectionNav label={content.onThisPage} sections={[singleUser, corporate, services]} />
      <Band id={singleUser.id} title={singleUser.title} text={singleUser.text}>
        <LevelPanels
          panels={singleUser.cards.flatMap(({ product, text, links }) =>
            products.filter(({ id }) => id === product).map((level) => ({ level, text, adds: level.adds, links })),
          )}
        />
        <SubscribeSteps notes={singleUser.notes} {...singleUser.subscribing} html={content.html} />
      </Band>
      <Band id={corporate.id} title={corporate.title} text={corporate.text} tone="surface">
        <CorporateOptions options={corporate.cards} links={corporate.links} />
      </Band>
      <Band id={services.id} title={services.title} text={services.text}>
        <ServiceOffers offers={services.cards} />
      </Band>
    </>
  );
}
