import classes from "./endorsements.module.css";
import { SampleNote } from "./people-rows.tsx";

export interface Endorsement {
  readonly quote: string;
  readonly name: string;
  readonly role: string;
  readonly sample: boolean;
}

/** Customer quotes. Missing while there are none. */
export function Endorsements({
  heading,
  note,
  endorsements,
}: {
  heading: string;
  note: string;
  endorsements: readonly Endorsement[];
}) {
  if (endorsements.length === 0) return null;
  return (
    <section aria-labelledby="endorsements-title">
      <h2 id="endorsements-title">{heading}</h2>
      <SampleNote shown={endorsements} text={note} />
      <div className={classes.endorsements} data-tones>
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
      </div>
    </section>
  );
}
