import products from "content:products";
import { useParams } from "react-router-dom";
import { PlainPage } from "#web/features/public-page/plain-page.tsx";
import { NotFoundPage } from "./error-404.tsx";

/** One level of the product, by its slug; anything else is not found (spec, public §2). */
export default function ProductPage() {
  const { productId } = useParams();
  const product = products.find(({ slug }) => slug === productId?.toLowerCase());
  return product ? <PlainPage content={product} /> : <NotFoundPage />;
}
