import content from "content:pages/we-are";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.weAre`. */
export default function WeArePage() {
  return <PlainPage content={content} />;
}
