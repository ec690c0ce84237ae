import content from "content:pages/project-integration-services";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.projectIntegration`. */
export default function ProjectIntegrationPage() {
  return <PlainPage content={content} />;
}
