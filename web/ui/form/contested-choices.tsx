import { Button } from "#web/ui/button.tsx";
import type { ContestedFields } from "./contested.tsx";
import classes from "./contested-choices.module.css";

/** Shows both values of each contested field, with buttons to choose one. */
export default function ContestedChoices(props: { names: readonly string[]; contested: ContestedFields }) {
  const { names, contested } = props;
  const shown = names.flatMap((name) => {
    const field = contested.fields[name];
    return field ? [[name, field] as const] : [];
  });
  return (
    <>
      {shown.map(([name, { label, theirs, mine, by }]) => (
        <div key={name} className={classes.contested} role="group" aria-label={`${label}: which value?`}>
          <b className={classes.contestedLabel}>{label}</b>
          <dl>
            <dt>{by}</dt>
            <dd>{theirs || "(empty)"}</dd>
            <dt>You</dt>
            <dd>{mine || "(empty)"}</dd>
          </dl>
          <div className={classes.choice}>
            <Button
              size="sm"
              variant="default"
              aria-label={`Take theirs for ${label}`}
              onClick={() => contested.settle(name, "theirs")}
            >
              Take theirs
            </Button>
            <Button
              size="sm"
              variant="default"
              aria-label={`Keep mine for ${label}`}
              onClick={() => contested.settle(name, "mine")}
            >
              Keep mine
            </Button>
          </div>
        </div>
      ))}
    </>
  );
}
