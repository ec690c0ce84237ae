import { AccordionItem } from "#web/ui/accordion.tsx";
import { PageText } from "#web/ui/page-text.tsx";
import { usePanels } from "#web/ui/use-panels.ts";
import classes from "./tutorial-steps.module.css";

export interface TutorialStepsProps {
  tutorials: readonly { readonly id: string; readonly title: string }[];
  /** Loads the HTML of the steps. */
  load: (id: string) => Promise<string>;
}

/** Accordion with the steps of all tutorials. */
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
