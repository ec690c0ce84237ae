import people from "content:people";
import { Monogram } from "#web/pictures/monogram.tsx";
import { SampleBadge } from "#web/public-ui/sample-badge.tsx";
import classes from "./people.module.css";

interface Person {
  readonly name: string;
  readonly initials: string;
  readonly role: string;
  readonly text: string;
  readonly sample: boolean;
}

/** Directors and business specialist under separate headings. Invented people have a Sample badge. */
export function People({ directors, businessSpecialist }: { directors: string; businessSpecialist: string }) {
  const groups = [
    { heading: directors, members: people.directors },
    { heading: businessSpecialist, members: [people.businessSpecialist] },
  ];
  return (
    <>
      <div className={classes.groups}>
        {groups.map(({ heading, members }) => (
          <section key={heading} aria-label={heading}>
            <h2>{heading}</h2>
            <ul>
              {members.map((person) => (
                <Portrait key={person.name} person={person} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <p className={classes.note}>{people.note}</p>
    </>
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
        {role} {sample && <SampleBadge>Sample</SampleBadge>}
      </p>
      <p>{text}</p>
    </li>
  );
}
