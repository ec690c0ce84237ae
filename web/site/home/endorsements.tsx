import { Band } from "#web/public-ui/band.tsx";
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
    <Band id="endorsements" title={heading} text={<SampleNote shown={endorsements} text={note} />}>
      <div data-tones>
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
    </Band>
  );
}
