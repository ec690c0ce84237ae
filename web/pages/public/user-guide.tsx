import content from "content:pages/user-guide";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.userGuide`. */
export default function UserGuidePage() {
  return <PlainPage content={content} />;
}
