import { Band } from "#web/ui/band.tsx";
import type { CSSProperties } from "react";
import layout from "#web/ui/layout.module.css";
import classes from "./endorsements.module.css";
import { SampleNote } from "./sample-note.tsx";

export interface Endorsement {
  readonly quote: string;
  readonly name: string;
  readonly role: string;
  readonly sample: boolean;
}

/** Customer quotes, each indented further than the one before, like the bars of a schedule. Missing while there are none. */
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
    <Band id="endorsements" title={heading} text={<SampleNote shown={endorsements} text={note} />}>
      <div className={layout.topped} data-tones>
        {endorsements.map(({ quote, name, role }, position) => (
          <figure key={quote} className={classes.endorsement} style={{ "--step": position } as CSSProperties}>
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
