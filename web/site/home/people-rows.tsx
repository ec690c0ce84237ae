import { Band } from "#web/ui/band.tsx";
import layout from "#web/ui/layout.module.css";
import { Split } from "#web/ui/split.tsx";
import { ContentLink } from "#web/ui/content-link.tsx";
import classes from "./people-rows.module.css";
import { SampleNote } from "./sample-note.tsx";
import { StillPicture } from "./still-picture.tsx";
import { StillMonogram } from "./still-pictures.ts";

export interface Person {
  readonly name: string;
  readonly initials: string;
  readonly role: string;
  readonly sample: boolean;
  readonly text: string;
}

/** The people behind the company, one row each. Missing while `people.md` has none. */
export function PeopleRows({
  heading,
  text,
  link,
  note,
  people,
}: {
  heading: string;
  text: string;
  link: { readonly label: string; readonly to: string };
  note: string;
  people: readonly Person[];
}) {
  if (people.length === 0) return null;
  return (
    <Band id="people" hasOwnTitle tone="surface">
      <Split columns="20rem minmax(0, 1fr)">
        <div>
          <h2 id="people-title">{heading}</h2>
          <p>{text}</p>
          <p className={classes.link}>
            <ContentLink to={link.to}>{link.label}</ContentLink>
          </p>
          <SampleNote shown={people} text={note} />
        </div>
        <ul className={`${layout.rows} ${classes.rows}`}>
          {people.map(({ name, initials, role, text: about }) => (
            <li key={name}>
              <StillPicture className={classes.portrait}>
                <StillMonogram initials={initials} />
              </StillPicture>
              <div>
                <h3>{name}</h3>
                <span className={layout.note}>{role}</span>
              </div>
              <p>{about}</p>
            </li>
          ))}
        </ul>
      </Split>
    </Band>
  );
}
