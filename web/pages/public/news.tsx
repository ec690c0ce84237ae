import content from "content:pages/news";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.news`. */
export default function NewsPage() {
  return <PlainPage content={content} />;
}
