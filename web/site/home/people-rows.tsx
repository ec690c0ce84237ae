import { ContentLink } from "#web/ui/content-link.tsx";
import classes from "./home-page.module.css";
import { StillPicture } from "./still-picture.tsx";
import { Tag } from "#web/ui/tag.tsx";
import layout from "#web/ui/layout.module.css";
import type { ComponentType } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { PictureProps } from "#web/ui/pictures/parts.tsx";

const lazyPicture = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazyPart(async () => ({ default: await load() }), "nothing");

/** Pictures for banner slides, by name. */
export const bannerPictures: Record<string, ComponentType<PictureProps> | undefined> = {
  conversion: lazyPicture(async () => (await import("#web/site/pictures/conversion.tsx")).ConversionPicture),
  log: lazyPicture(async () => (await import("#web/site/pictures/log.tsx")).LogPicture),
  "health-check": lazyPicture(async () => (await import("#web/site/pictures/health-check.tsx")).HealthCheckPicture),
  "costs-and-resources": lazyPicture(
    async () => (await import("#web/site/pictures/costs-and-resources.tsx")).CostsAndResourcesPicture,
  ),
};

const StillMonogram = lazyPicture(async () => (await import("#web/site/pictures/monogram.tsx")).Monogram);

/** Notice that the content is invented. Disappears when people.md contains no samples. */
export function SampleNote({ shown, text }: { shown: readonly { readonly sample: boolean }[]; text: string }) {
  if (!shown.some(({ sample }) => sample)) return null;
  return (
    <p className={layout.note}>
      <Tag>Sample content</Tag> {text}
    </p>
  );
}

export interface Person {
  readonly name: string;
  readonly initials: string;
  readonly role: string;
  readonly sample: boolean;
}

interface PeopleRowsProps {
  heading: string;
  text: string;
  link: { readonly label: string; readonly to: string };
  note: string;
  people: readonly Person[];
}

/** The people behind the company, whose profiles are on the About page. Missing while `people.md` has none. */
export function PeopleRows({ heading, text, link, note, people }: PeopleRowsProps) {
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="people-title">
      <h2 id="people-title">{heading}</h2>
      <p>
        {text} <ContentLink to={link.to}>{link.label}</ContentLink>
      </p>
      <SampleNote shown={people} text={note} />
      <ul className={classes.rows}>
        {people.map(({ name, initials, role }) => (
          <li key={name}>
            <StillPicture>
              <StillMonogram initials={initials} />
            </StillPicture>
            <div>
              <h3 style={{ fontSize: "1.0625rem" }}>{name}</h3>
              <p style={{ margin: 0, fontSize: "0.9375rem" }}>{role}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
