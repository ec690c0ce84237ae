import content from "content:pages/scheduling-support-services";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.schedulingSupport`. */
export default function SchedulingSupportPage() {
  return <PlainPage content={content} />;
}
