import content from "content:pages/services";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.services`. */
export default function ServicesPage() {
  return <PlainPage content={content} />;
}
