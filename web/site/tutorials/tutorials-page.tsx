import type { ComponentType } from "react";
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
import { PageHero } from "#web/ui/page-hero.tsx";
import { TutorialGrid } from "./tutorial-grid.tsx";
import { TutorialSteps } from "./tutorial-steps.tsx";
import { VideoCaption, TutorialVideo } from "./tutorial-video.tsx";
import { Prose } from "#web/ui/prose.tsx";

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
  const { title, heading, lead, videoNote, html } = content;
  const cards = tutorials.map(({ id, title: name, description, picture, video }) => {
    const Picture = pictures[picture];
    const media = video ? <TutorialVideo src={video.url} title={name} /> : Picture && <Picture />;
    const caption = video && <VideoCaption src={video.url} />;
    return { id: toAnchor(id), title: name, description, media, caption, hasVideo: Boolean(video) };
  });
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
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
