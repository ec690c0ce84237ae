import layout from "#web/ui/layout.module.css";
import classes from "./mission.module.css";

export interface MissionProps {
  heading: string;
  text: string;
  points: readonly { readonly title: string; readonly text: string }[];
}

/** Mission statement in large type, with its principles. */
export function Mission({ heading, text, points }: MissionProps) {
  return (
    <>
      <h2 id="mission-title" className={classes.label}>
        {heading}
      </h2>
      <p className={classes.sentence}>{text}</p>
      <ul className={`${layout.columns} ${layout.topped}`} data-tones>
        {points.map((point) => (
          <li key={point.title}>
            <h3>{point.title}</h3>
            <p>{point.text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
