import faqs from "content:support-faqs";
import content from "content:pages/support";
import tutorials from "content:tutorial-heads";
import { paths } from "#web/platform/paths.ts";
import { Band } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { BarSteps } from "#web/ui/bar-steps.tsx";
import { VideoCaption, TutorialVideo } from "#web/site/tutorials/tutorial-video.tsx";
import { Accordion } from "#web/ui/accordion.tsx";
import { Prose } from "#web/ui/prose.tsx";

/** The old support page. It has no route; the lookup finds it by name. */
export default function SupportPage() {
  const { demonstration, steps, links, html } = content;
  const video = tutorials.find((tutorial) => tutorial.video)?.video;
  return (
    <>
      <PageHero
        content={content}
        picture={
          video && (
            <>
              <TutorialVideo src={video.url} title={demonstration} />
              <VideoCaption src={video.url} />
            </>
          )
        }
      />
      <Band id="quick-reference" title="Installation quick reference" tone="surface">
        <BarSteps steps={steps} />
        <PageLinks
          links={tutorials
            .filter(({ showOnSupportPage }) => showOnSupportPage)
            .map(({ id, title: label }) => ({ label, to: `${paths.tutorials.href()}#tutorial-${id}` }))}
          isEnd
        />
      </Band>
      <Band id="questions" title="Frequently asked questions">
        <Accordion items={faqs.map((faq) => ({ id: faq.id, title: faq.title, content: <Prose html={faq.html} /> }))} />
      </Band>
      <Band id="help" tone="surface">
        <Prose html={html} />
        <PageLinks links={links} isEnd />
      </Band>
    </>
  );
}
