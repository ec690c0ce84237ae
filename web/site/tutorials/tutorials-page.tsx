import type { ComponentType, ReactNode } from "react";
import content from "content:pages/tutorials";
import tutorials from "content:tutorial-heads";
import type { PictureProps } from "#web/ui/pictures/parts.tsx";
import { TutorialActivateCodePicture } from "#web/site/pictures/tutorial-activate-code.tsx";
import { TutorialActivateSignInPicture } from "#web/site/pictures/tutorial-activate-sign-in.tsx";
import { TutorialExportPicture, TutorialImportPicture, TutorialMovePicture } from "#web/site/pictures/tutorials.tsx";
import { TutorialFieldMappingPicture } from "#web/site/pictures/tutorial-field-mapping.tsx";
import { TutorialInstallPicture } from "#web/site/pictures/tutorial-install.tsx";
import { TutorialLogAndHealthPicture } from "#web/site/pictures/tutorial-log-and-health.tsx";
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
  "tutorial-install": TutorialInstallPicture,
  "tutorial-activate-code": TutorialActivateCodePicture,
  "tutorial-activate-sign-in": TutorialActivateSignInPicture,
  "tutorial-export": TutorialExportPicture,
  "tutorial-import": TutorialImportPicture,
  "tutorial-field-mapping": TutorialFieldMappingPicture,
  "tutorial-log-and-health": TutorialLogAndHealthPicture,
  "tutorial-move": TutorialMovePicture,
};

const toAnchor = (id: string) => `tutorial-${id}`;
const listed = tutorials.map(({ id, title }) => ({ id: toAnchor(id), title }));
const loadSteps = async (anchor: string) =>
  (await import("content:tutorials")).default.find(({ id }) => toAnchor(id) === anchor)?.html ?? "";

export default function TutorialsPage() {
  const { videoNote, html } = content;
  const cards = tutorials.map(({ id, title: name, description, picture, video }) => {
    const Picture = pictures[picture];
    const media = video ? <TutorialVideo src={video.url} title={name} /> : Picture && <Picture />;
    const caption = video && <VideoCaption src={video.url} />;
    return { id: toAnchor(id), title: name, description, media, caption, hasVideo: Boolean(video) };
  });
  return (
    <>
      <PageHero content={content} />
      <Band id="tutorials" tone="surface">
        <TutorialGrid tutorials={cards}>
          <Prose html={html} />
        </TutorialGrid>
      </Band>
      <Band id="steps" title="Step by step" text={tutorials.some(({ video }) => video) ? videoNote : undefined}>
        <TutorialSteps tutorials={listed} load={loadSteps} />
      </Band>
    </>
  );
}

interface TutorialStepsProps {
  tutorials: readonly { readonly id: string; readonly title: string }[];
  /** Loads the HTML of the steps. */
  load: (id: string) => Promise<string>;
}

/** Accordion with the steps of all tutorials. */
function TutorialSteps({ tutorials, load }: TutorialStepsProps) {
  const panels = usePanels();
  return (
    <div style={{ borderTop: "2px solid var(--xp-bar)" }}>
      {tutorials.map(({ id, title }, index) => (
        <AccordionItem
          key={id}
          id={id}
          panels={panels}
          title={
            <>
              <span style={{ color: "var(--xp-brand)" }}>{index + 1}.</span> {title}
            </>
          }
        >
          <PageText id={`${id}-steps`} load={() => load(id)} className={classes.steps} />
        </AccordionItem>
      ))}
    </div>
  );
}

interface TutorialCard {
  /** Anchor of its steps. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The video, or a picture if there is none. */
  readonly media: ReactNode;
  /** Caption of the video. */
  readonly caption?: ReactNode;
  readonly hasVideo: boolean;
}

/** Grid of tutorials with links to their steps. `children` is shown last. */
function TutorialGrid({ tutorials, children }: { tutorials: readonly TutorialCard[]; children: ReactNode }) {
  return (
    <ol className={classes.grid} data-screen-only>
      {tutorials.map(({ id, title, description, media, caption, hasVideo }, index) => (
        <li key={id} className={classes.card} data-film={hasVideo || undefined}>
          <div className={hasVideo ? undefined : layout.framed}>{media}</div>
          <h2 className={classes.title}>
            <span aria-hidden="true">
              <Tag isBrand>{`${index + 1}`}</Tag>
            </span>
            <a href={`#${id}`} className={hasVideo ? undefined : layout.cover}>
              {keepTogether(title)}
            </a>
          </h2>
          <p style={{ margin: 0, fontSize: "0.9688rem" }}>{description}</p>
          <div style={{ marginBlock: "0.75rem 2.5rem" }}>
            {caption}
            <p className={layout.link} style={{ color: "var(--xp-brand)" }} aria-hidden="true">
              Read the steps
              <IconArrowDown size={16} stroke={2} />
            </p>
          </div>
        </li>
      ))}
      <li className={layout.dashed} style={{ gridRow: "span 4", alignSelf: "start" }}>
        {children}
      </li>
    </ol>
  );
}
