import type { CSSProperties, ReactNode } from "react";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { LinkButton } from "./button.tsx";
import { Band, ProseWithAside } from "./band.tsx";
import { BarSteps } from "./bar-steps.tsx";
import { ContactCall } from "./contact-call.tsx";
import { PageHero } from "./page-hero.tsx";
import layout from "./layout.module.css";
import classes from "./activity-list.module.css";

/** Content of a service's file in web/site/content/pages. All have the same fields. */
type ServiceContent = typeof import("content:pages/schedule-conversion-services")["default"];

export function ServicePage({ content, picture }: { content: ServiceContent; picture: ReactNode }) {
  const { items, steps, html } = content;
  return (
    <>
      <PageHero
        content={content}
        picture={picture}
        actions={
          <>
            <LinkButton size="lg" href={`mailto:${brand.mailboxes.corporate.email}`}>
              Request a quote
            </LinkButton>
            <LinkButton size="lg" variant="default" to={paths.contactUs.href()}>
              Contact form
            </LinkButton>
          </>
        }
      />
      <Band id="what-we-do" title="What we do" tone="surface">
        <ActivityList items={items} />
      </Band>
      <Band id="how-it-goes" title="How it works">
        <BarSteps steps={steps} />
      </Band>
      <Band id="more" tone="surface">
        <ProseWithAside html={html}>
          <ContactCall
            mailbox="corporate"
            title="Tell us about your schedule"
            text="Tell us which tool it comes from, where it has to go and by when. A few sentences are enough to start."
          />
        </ProseWithAside>
      </Band>
    </>
  );
}

/** Start and length of the bars of the activities, in eighths of the chart. */
const bars = [
  [0, 3],
  [2, 2],
  [1, 4],
  [4, 2],
  [3, 4],
  [6, 2],
];

/** The activities of a service, drawn as rows of a schedule. The bars are decorative. */
function ActivityList({ items }: Pick<ServiceContent, "items">) {
  return (
    <ul className={`${layout.rows} ${classes.list}`}>
      {items.map(({ title, text }, row) => (
        <li key={title}>
          <h3>{title}</h3>
          <p style={{ margin: 0 }}>{text}</p>
          <span
            className={classes.bar}
            style={{ "--from": bars[row]?.[0], "--length": bars[row]?.[1] } as CSSProperties}
            aria-hidden="true"
          />
        </li>
      ))}
    </ul>
  );
}
