import content from "content:pages/rest-api";
import { RestReference } from "./rest-reference.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";

async function load() {
  const { html } = (await import("content:rest-reference")).default;
  // In prerendered HTML, the server has already inserted its address.
  return typeof location === "undefined" ? html : html.replaceAll("%PUBLIC_URL%", location.origin);
}

/** Reference for the `/v1` API. */
export default function RestApiPage() {
  const { title, heading, lead } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <RestReference load={load} />
    </>
  );
}
