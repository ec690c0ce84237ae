import content from "content:pages/trial-and-subscribe";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.trialAndSubscribe`. */
export default function TrialAndSubscribePage() {
  return <PlainPage content={content} />;
}
