import content from "content:pages/legals";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.legals`. */
export default function LegalsPage() {
  return <PlainPage content={content} />;
}
