import content from "content:pages/solutions-and-services";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.solutionsAndServices`. */
export default function SolutionsAndServicesPage() {
  return <PlainPage content={content} />;
}
