import levels from "content:levels";
import { createElement } from "react";
import { useParams } from "react-router-dom";
import { planOfProductId } from "#schema/plan-catalogue.ts";
import { type LazyPage, lazyPage } from "#web/platform/lazy-page.ts";
import { type Product, ProductDetails } from "#web/selling/plans/product-details.tsx";
import NotFoundPage from "./error-404.tsx";

/** The files of web/content/products, each loaded by its own page alone. */
const files: Record<string, () => Promise<{ default: Product }>> = {
  professional: () => import("content:products/professional"),
  plus: () => import("content:products/plus"),
  standard: () => import("content:products/standard"),
};

const pages = new Map<string, LazyPage>(
  levels.map(({ id, slug }) => [
    slug,
    lazyPage(async () => {
      const file = await files[id]?.();
      return { default: () => (file ? <ProductDetails product={file.default} /> : <NotFoundPage />) };
    }),
  ]),
);

/** One level of the product, by its slug or a price id in any case (docs/domain.md#plans), else not found. */
export default function ProductPage() {
  const { productId = "" } = useParams();
  return createElement(pages.get(planOfProductId(productId)?.slug ?? "")?.Page ?? NotFoundPage);
}
