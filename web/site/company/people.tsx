import people from "content:people";
import { Monogram } from "#web/site/pictures/monogram.tsx";
import { Tag } from "#web/ui/tag.tsx";
import { Band, Split } from "#web/ui/band.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./people.module.css";

interface Person {
  readonly name: string;
  readonly initials: string;
  readonly role: string;
  readonly text: string;
  readonly sample: boolean;
}

/** Directors and business specialist under separate headings. Invented people have a Sample badge. Missing while there are none. */
export function People({ directors, businessSpecialist }: { directors: string; businessSpecialist: string }) {
  const groups = [
    { heading: directors, members: people.directors },
    { heading: businessSpecialist, members: people.businessSpecialists },
  ].filter(({ members }) => members.length > 0);
  if (groups.length === 0) return null;
  return (
    <Band id="people">
      <Split columns="minmax(0, 2fr) minmax(0, 1fr)">
        {groups.map(({ heading, members }) => (
          <section key={heading} className={classes.group} aria-label={heading}>
            <h2>{heading}</h2>
            <ul className={`${layout.columns} ${classes.people}`}>
              {members.map((person) => (
                <Portrait key={person.name} person={person} />
              ))}
            </ul>
          </section>
        ))}
      </Split>
      {groups.some(({ members }) => members.some(({ sample }) => sample)) && (
        <p className={`${layout.note} ${classes.note}`}>{people.note}</p>
      )}
    </Band>
  );
}

function Portrait({ person }: { person: Person }) {
  const { name, initials, role, text, sample } = person;
  return (
    <li>
      <div className={classes.portrait}>
        <Monogram initials={initials} />
      </div>
      <h3>{name}</h3>
      <p className={classes.role}>
        {role} {sample && <Tag>Sample</Tag>}
      </p>
      <p>{text}</p>
    </li>
  );
}
