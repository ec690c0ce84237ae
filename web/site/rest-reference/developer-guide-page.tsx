import content from "content:pages/developer-guide";
import { PageHero } from "#web/ui/page-hero.tsx";
import { RestReference } from "./rest-reference.tsx";

async function load() {
  const { html } = (await import("content:developer-guide")).default;
  // In prerendered HTML, the server has already inserted its address.
  return typeof location === "undefined" ? html : html.replaceAll("%PUBLIC_URL%", location.origin);
}

/** Guide for developers, from the texts in `docs/`. */
export default function DeveloperGuidePage() {
  const { title, heading, lead } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <RestReference id="developer-guide" load={load} />
    </>
  );
}
