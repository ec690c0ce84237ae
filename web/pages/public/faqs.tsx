import content from "content:pages/faqs";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.faqs`. */
export default function FaqsPage() {
  return <PlainPage content={content} />;
}
