import classes from "./endorsements.module.css";
import { SampleNote } from "./sample-note.tsx";

export interface Endorsement {
  readonly quote: string;
  readonly name: string;
  readonly role: string;
  readonly sample: boolean;
}

/** Customer quotes, each indented further than the one before, like the bars of a schedule. */
export function Endorsements({
  heading,
  note,
  endorsements,
}: {
  heading: string;
  note: string;
  endorsements: readonly Endorsement[];
}) {
  return (
    <section className={classes.endorsements} aria-labelledby="endorsements">
      <div className={classes.head}>
        <h2 id="endorsements">{heading}</h2>
        <SampleNote shown={endorsements} text={note} />
      </div>
      {endorsements.map(({ quote, name, role }) => (
        <figure key={quote} className={classes.endorsement}>
          <blockquote>
            <p>“{quote}”</p>
          </blockquote>
          <figcaption>
            {name} <span>{role}</span>
          </figcaption>
        </figure>
      ))}
    </section>
  );
}
