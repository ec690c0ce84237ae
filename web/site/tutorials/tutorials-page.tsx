import type { ComponentType } from "react";
import content from "content:pages/tutorials";
import tutorials from "content:tutorial-heads";
import type { PictureProps } from "#web/ui/pictures/parts.tsx";
import * as drawn from "#web/site/pictures/tutorials.tsx";
import { Band } from "#web/ui/band.tsx";
import { keepTogether } from "#web/ui/keep-together.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { VideoCaption, TutorialVideo } from "./tutorial-video.tsx";
import { Prose } from "#web/ui/prose.tsx";
import { AccordionItem } from "#web/ui/accordion.tsx";
import { PageText } from "#web/ui/page-text.tsx";
import { usePanels } from "#web/ui/use-panels.ts";
import classes from "./tutorials-page.module.css";
import { IconArrowDown } from "@tabler/icons-react";
import layout from "#web/ui/layout.module.css";
import { Tag } from "#web/ui/tag.tsx";

/** Imported statically so that the prerendered HTML includes them. */
const pictures: Record<string, ComponentType<PictureProps> | undefined> = {
  "tutorial-install": drawn.TutorialInstallPicture,
  "tutorial-activate-code": drawn.TutorialActivateCodePicture,
  "tutorial-activate-sign-in": drawn.TutorialActivateSignInPicture,
  "tutorial-export": drawn.TutorialExportPicture,
  "tutorial-import": drawn.TutorialImportPicture,
  "tutorial-field-mapping": drawn.TutorialFieldMappingPicture,
  "tutorial-log-and-health": drawn.TutorialLogAndHealthPicture,
  "tutorial-move": drawn.TutorialMovePicture,
};

const toAnchor = (id: string) => `tutorial-${id}`;
const loadSteps = async (tutorialId: string) =>
  (await import("content:tutorials")).default.find(({ id }) => id === tutorialId)?.html ?? "";

export default function TutorialsPage() {
  const hasVideo = tutorials.some(({ video }) => video);
  return (
    <>
      <PageHero content={content} />
      <Band id="tutorials" tone="surface">
        <TutorialGrid />
      </Band>
      <Band id="steps" title="Step by step" text={hasVideo ? content.videoNote : undefined}>
        <TutorialSteps />
      </Band>
    </>
  );
}

/** Accordion with the steps of all tutorials. */
function TutorialSteps() {
  const panels = usePanels();
  return (
    <div style={{ borderTop: "2px solid var(--xp-bar)" }}>
      {tutorials.map(({ id, title }, index) => (
        <AccordionItem
          key={id}
          id={toAnchor(id)}
          panels={panels}
          title={
            <>
              <span style={{ color: "var(--xp-brand)" }}>{index + 1}.</span> {title}
            </>
          }
        >
          <PageText id={`${toAnchor(id)}-steps`} load={() => loadSteps(id)} className={classes.steps} />
        </AccordionItem>
      ))}
    </div>
  );
}

/** Grid of tutorials with links to their steps. Each has a video, or a picture if there is none. */
function TutorialGrid() {
  return (
    <ol className={classes.grid} data-screen-only>
      {tutorials.map(({ id, title, description, picture, video }, index) => {
        const Picture = pictures[picture];
        return (
          <li key={id} className={classes.card} data-film={video ? true : undefined}>
            <div className={video ? undefined : layout.framed}>
              {video ? <TutorialVideo src={video.url} title={title} /> : Picture && <Picture />}
            </div>
            <h2 className={classes.title}>
              <span aria-hidden="true">
                <Tag isBrand>{`${index + 1}`}</Tag>
              </span>
              <a href={`#${toAnchor(id)}`} className={video ? undefined : layout.cover}>
                {keepTogether(title)}
              </a>
            </h2>
            <p style={{ margin: 0, fontSize: "0.9688rem" }}>{description}</p>
            <div style={{ marginBlock: "0.75rem 2.5rem" }}>
              {video && <VideoCaption src={video.url} />}
              <p className={layout.link} style={{ color: "var(--xp-brand)" }} aria-hidden="true">
                Read the steps
                <IconArrowDown size={16} stroke={2} />
              </p>
            </div>
          </li>
        );
      })}
      <li className={layout.dashed} style={{ gridRow: "span 4", alignSelf: "start" }}>
        <Prose html={content.html} />
      </li>
    </ol>
  );
}
