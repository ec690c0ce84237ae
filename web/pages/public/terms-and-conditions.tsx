import content from "content:legals/terms-and-conditions";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.terms`. */
export default function TermsPage() {
  return <PlainPage content={content} />;
}
