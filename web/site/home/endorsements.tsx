import layout from "#web/ui/layout.module.css";
import classes from "./endorsements.module.css";
import { SampleNote } from "./people-rows.tsx";

export interface Endorsement {
  readonly quote: string;
  readonly name: string;
  readonly role: string;
  readonly sample: boolean;
}

interface EndorsementsProps {
  heading: string;
  note: string;
  endorsements: readonly Endorsement[];
}

/** Customer quotes. Missing while there are none. */
export function Endorsements({ heading, note, endorsements }: EndorsementsProps) {
  if (endorsements.length === 0) return null;
  return (
    <section aria-labelledby="endorsements-title">
      <h2 id="endorsements-title">{heading}</h2>
      <SampleNote shown={endorsements} text={note} />
      <div data-tones>
        {endorsements.map(({ quote, name, role }) => (
          <figure key={quote} className={`${layout.marked} ${classes.endorsement}`}>
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
