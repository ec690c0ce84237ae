import content from "content:pages/knowledge-base";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.knowledgeBase`. */
export default function KnowledgeBasePage() {
  return <PlainPage content={content} />;
}
