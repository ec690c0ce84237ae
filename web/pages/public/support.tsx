import content from "content:pages/support";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The old support page; the lookup finds it by its name (spec, public §2). */
export default function SupportPage() {
  return <PlainPage content={content} />;
}
