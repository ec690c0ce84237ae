import content from "content:pages/tutorials";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.tutorials`. */
export default function TutorialsPage() {
  return <PlainPage content={content} />;
}
