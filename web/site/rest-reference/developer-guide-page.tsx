import { useParams } from "react-router-dom";
import content from "content:pages/developer-guide";
import topics from "content:guide-topics";
import NotFoundPage from "#web/ui/errors/error-404.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { RestReference } from "./rest-reference.tsx";

const load = async (path: string) =>
  (await import("content:developer-guide")).default.find((page) => page.path === path)?.html ?? "";

/** Guide for developers, from the texts in `docs/`: one page for each topic. */
export default function DeveloperGuidePage() {
  const { topic } = useParams();
  const path = topic ? `${content.path}${topic.toLowerCase()}/` : content.path;
  const page = topics.find((one) => one.path === path);
  if (!page) return <NotFoundPage />;
  const hero = topic ? { ...page, heading: page.title, lead: page.description } : content;
  const id = `developer-guide-${topic ?? "start"}`;
  return (
    <>
      <PageHero content={hero} />
      <RestReference key={id} id={id} load={() => load(path)} />
    </>
  );
}
