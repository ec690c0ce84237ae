import levels from "content:levels";
import { createElement } from "react";
import { useParams } from "react-router-dom";
import { findPlanByProductId } from "#schema/plan-catalogue.ts";
import { type LazyPage, lazyPage } from "#web/platform/lazy-page.ts";
import { type Product, ProductDetails } from "./product-details.tsx";
import NotFoundPage from "#web/ui/errors/error-404.tsx";

/** Loads the files in web/site/content/products. Each product page loads only its own file. */
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

/** Page for a product level. Accepts its slug or a price ID, case-insensitively (docs/domain.md#plans). */
export default function ProductPage() {
  const { productId = "" } = useParams();
  return createElement(pages.get(findPlanByProductId(productId)?.slug ?? "")?.Page ?? NotFoundPage);
}
