import products from "content:levels";
import content from "content:pages/trial-and-subscribe";
import { LevelPanels } from "./level-panel.tsx";
import { Band } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { SectionNav } from "#web/ui/section-nav.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import layout from "#web/ui/layout.module.css";
import { formatUsd } from "#schema/money.ts";
import { Label, Picture, type PictureProps, Stroke, Window, Box } from "#web/ui/pictures/parts.tsx";
import { Bar, Grid, Milestone, Relation, Ghost, Summary } from "#web/site/pictures/schedule-parts.tsx";
import { usePlanPrices } from "./plan-prices.ts";
import { BarSteps } from "#web/ui/bar-steps.tsx";
import { Prose } from "#web/ui/prose.tsx";
import classes from "./trial-and-subscribe-page.module.css";
import { ActionLink } from "#web/licensing/trials/call-to-action.tsx";
import type { ReactNode } from "react";

const { singleUser, corporate, services } = content;
const flagship = products.find(({ retiring }) => !retiring);

/** Page with all products and services for sale, in three sections. */
export default function TrialAndSubscribePage() {
  return (
    <>
      <PageHero
        content={content}
        picture={flagship && <OfferIllustration slug={flagship.slug} label={content.pictureLabel} />}
      />
      <SectionNav label={content.onThisPage} sections={[singleUser, corporate, services]} />
      <Band id={singleUser.id} title={singleUser.title} text={singleUser.text}>
        <LevelPanels cards={singleUser.cards} />
        <SubscribeSteps />
      </Band>
      <Band id={corporate.id} title={corporate.title} text={corporate.text} tone="surface">
        <CorporateOptions />
      </Band>
      <Band id={services.id} title={services.title} text={services.text}>
        <ServiceOffers />
      </Band>
    </>
  );
}

/** Paid services provided by the vendor's planners. */
function ServiceOffers() {
  return (
    <div className={`${layout.columns} ${layout.topped}`} data-tones>
      {services.cards.map(({ title, text, link }) => (
        <div key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
          <PageLinks links={[link]} />
        </div>
      ))}
    </div>
  );
}

const WEEK = 22;
const LEFT = 32;
const at = (week: number) => LEFT + week * WEEK;
const months = [0, 1, 2];

/** Illustration of the offer as a schedule: a two-week trial, a decision, then monthly or yearly payment. */
function OfferIllustration({ slug, ...props }: PictureProps & { slug: string }) {
  const { monthly, yearly } = usePlanPrices()(slug);
  return (
    <Picture {...props} height={268} floating>
      <Window x={8} y={0} w={368} h={268} title="Your first weeks" />
      <Grid x={at(0)} y={29} w={WEEK * 15} h={238} step={WEEK * 2} />
      <Label x={at(0)} y={60} weight={680} text="Trial Professional" />
      <Bar x={at(0)} y={78} w={WEEK * 2 - 2} h={16} tone="milestone" />
      <Label x={at(2) + 10} y={82} tone="muted" text="14 days or 20 conversions" />
      <Relation x={at(2) - 2} y={78} to={at(2) + 3} down={110} />
      <Milestone x={at(2) + 3} y={119} r={8} />
      <Label x={at(2) + 20} y={123} weight={680} text="You decide" />
      <Stroke d={`M${at(2) + 3} 127v103M${at(2) + 3} 172h14M${at(2) + 3} 230h14`} />
      <Label x={at(3)} y={156} text={`Month by month, ${formatUsd(monthly)}`} />
      {months.map((month) => (
        <Bar key={month} x={at(3 + month * 4)} y={172} w={WEEK * 4 - 4} h={16} tone="bar-soft" />
      ))}
      <Label x={at(3)} y={214} text={`One year upfront, ${formatUsd(yearly)}`} />
      <Bar x={at(3)} y={230} w={WEEK * 12 - 4} h={16} />
    </Picture>
  );
}

/** Explains the steps to subscribe and what to know first. */
function SubscribeSteps() {
  const { notes, subscribing } = singleUser;
  return (
    <>
      <ul className={`${layout.columns} ${layout.note} ${classes.notes}`}>
        {notes.map((note) => (
          <li key={note} className={layout.marked}>
            {note}
          </li>
        ))}
      </ul>
      <h3 style={{ marginBlock: "4rem 2rem", fontSize: "1.625rem" }}>{subscribing.heading}</h3>
      <BarSteps steps={subscribing.steps} level={4} />
      <div className={layout.note} style={{ marginTop: "2.5rem" }}>
        <Prose html={content.html} />
      </div>
    </>
  );
}

/** Licences that are arranged by contacting us, each with an illustration. */
function CorporateOptions() {
  return (
    <>
      <ul className={`${layout.rows} ${classes.options}`}>
        {corporate.cards.map(({ id, title, text }) => (
          <li key={id}>
            <LicenceIllustration form={id as LicenceForm} />
            <h3>{title}</h3>
            <p style={{ margin: 0 }}>{text}</p>
          </li>
        ))}
      </ul>
      <div className={layout.actions} style={{ marginTop: "2rem" }}>
        {corporate.links.map((link, index) => (
          <ActionLink key={link.to} link={link} variant={index === 0 ? "filled" : "default"} />
        ))}
      </div>
    </>
  );
}

/** Licences for several users, named as in web/site/content/pages/trial-and-subscribe.md. */
type LicenceForm = "corporate" | "concurrent" | "project" | "commercial" | "enterprise";

/** Illustration of how users share a licence over time, decorative next to its name. */
function LicenceIllustration({ form }: { form: LicenceForm }) {
  return (
    <Picture width={112} height={56}>
      <Box x={0.5} y={0.5} w={111} h={55} r={8} tone="sunken" line="line" />
      {signs[form]}
    </Picture>
  );
}

const signs: Record<LicenceForm, ReactNode> = {
  // Named planners, renewed together.
  corporate: (
    <>
      {[15, 28, 41].map((y) => (
        <Bar key={y} x={14} y={y} w={70} h={7} />
      ))}
      <Stroke d="M84 15h12v26H84M84 28h12" />
      <Milestone x={96} y={28} r={5} />
    </>
  ),
  // Two seats that planners use one after another.
  concurrent: (
    <>
      <Bar x={14} y={20} w={30} h={9} />
      <Bar x={48} y={20} w={22} h={9} tone="actual" />
      <Bar x={74} y={20} w={24} h={9} tone="milestone" />
      <Bar x={14} y={36} w={18} h={9} tone="actual" />
      <Ghost x={36} y={36} w={26} h={9} />
      <Bar x={66} y={36} w={32} h={9} />
    </>
  ),
  // From one milestone to another.
  project: (
    <>
      <Stroke d="M18 28h76" />
      <Bar x={26} y={28} w={60} h={9} />
      <Milestone x={18} y={28} r={6} />
      <Milestone x={94} y={28} r={6} />
    </>
  ),
  // Work for the firm's clients.
  commercial: (
    <>
      <Bar x={14} y={28} w={34} h={9} />
      <Stroke d="M48 28h14M56 28V15h6M56 28v13h6" />
      {[15, 28, 41].map((y) => (
        <Bar key={y} x={64} y={y} w={34} h={7} tone="actual" />
      ))}
    </>
  ),
  // Summary bars nested inside each other.
  enterprise: (
    <>
      <Summary x={14} y={13} w={84} />
      <Summary x={14} y={27} w={38} />
      <Summary x={60} y={27} w={38} />
      <Bar x={14} y={42} w={20} h={7} />
      <Bar x={38} y={42} w={14} h={7} />
      <Bar x={60} y={42} w={14} h={7} />
      <Bar x={78} y={42} w={20} h={7} />
    </>
  ),
};
