import content from "content:pages/resources-and-support";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.resources`. */
export default function ResourcesAndSupportPage() {
  return <PlainPage content={content} />;
}
