import content from "content:legals/privacy-policy";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.privacy`. */
export default function PrivacyPage() {
  return <PlainPage content={content} />;
}
