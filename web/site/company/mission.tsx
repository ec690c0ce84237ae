import classes from "./mission.module.css";

export interface MissionProps {
  heading: string;
  text: string;
  points: readonly { readonly title: string; readonly text: string }[];
}

/** Mission statement in large type, with its principles. */
export function Mission({ heading, text, points }: MissionProps) {
  return (
    <div className={classes.mission}>
      <h2 id="mission-title">{heading}</h2>
      <p className={classes.sentence}>{text}</p>
      <ul>
        {points.map((point) => (
          <li key={point.title}>
            <h3>{point.title}</h3>
            <p>{point.text}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
