import content from "content:pages/project-controls-specialist-services";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.projectControls`. */
export default function ProjectControlsPage() {
  return <PlainPage content={content} />;
}
