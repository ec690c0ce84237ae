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
}

/** The people behind the company, whose profiles are on the About page. Missing while `people.md` has none. */
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
    <section aria-labelledby="people-title">
      <h2 id="people-title">{heading}</h2>
      <p>
        {text} <ContentLink to={link.to}>{link.label}</ContentLink>
      </p>
      <SampleNote shown={people} text={note} />
      <ul className={classes.rows}>
        {people.map(({ name, initials, role }) => (
          <li key={name}>
            <StillPicture className={classes.portrait}>
              <StillMonogram initials={initials} />
            </StillPicture>
            <div>
              <h3>{name}</h3>
              <p>{role}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
