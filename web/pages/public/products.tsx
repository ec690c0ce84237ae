import content from "content:pages/products";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";

/** The page at `paths.products`. */
export default function ProductsPage() {
  return <PlainPage content={content} />;
}
