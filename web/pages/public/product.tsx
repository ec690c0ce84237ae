import products from "content:products";
import { useParams } from "react-router-dom";
import { planOfProductId } from "#schema/plan-catalogue.ts";
import { ProductDetails } from "#web/features/plans/product-details.tsx";
import { NotFoundPage } from "./error-404.tsx";

/** One level of the product, by its slug or a price id in any case; anything else is not found (DOMAIN §2). */
export default function ProductPage() {
  const { productId = "" } = useParams();
  const plan = planOfProductId(productId);
  const product = products.find(({ slug }) => slug === plan?.slug);
  return product ? <ProductDetails key={product.slug} product={product} /> : <NotFoundPage />;
}
