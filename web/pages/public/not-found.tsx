import content from "content:pages/not-found";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page of the content called `not-found`. */
export default function NotFoundContentPage() {
  return <PlainPage content={content} />;
}
