import { AccordionItem } from "#web/ui/accordion.tsx";
import { PageText } from "#web/ui/page-text.tsx";
import { usePanels } from "#web/ui/use-panels.ts";
import classes from "./tutorial-steps.module.css";

export interface TutorialStepsProps {
  tutorials: readonly { readonly id: string; readonly title: string }[];
  /** Fetches the HTML of the steps. */
  load: (id: string) => Promise<string>;
}

/** All tutorials in full, one below the other, each to be opened. */
export function TutorialSteps({ tutorials, load }: TutorialStepsProps) {
  const panels = usePanels();
  return (
    <div className={classes.list}>
      {tutorials.map(({ id, title }, index) => (
        <AccordionItem
          key={id}
          id={id}
          panels={panels}
          title={
            <>
              <span className={classes.number}>{index + 1}.</span> {title}
            </>
          }
        >
          <PageText id={`${id}-steps`} load={() => load(id)} className={classes.steps} />
        </AccordionItem>
      ))}
    </div>
  );
}
