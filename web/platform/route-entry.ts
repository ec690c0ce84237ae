import type { Access } from "./access.ts";
import type { LazyPage } from "./lazy-page.ts";

/** One page of the portal: its URL, who may open it, its file, and whether it talks to the api through Apollo. */
export interface RouteEntry {
  path: { readonly pattern: string };
  access: Access;
  page: LazyPage;
  /** True for pages that use generated hooks; others load without Apollo Client. */
  data?: boolean;
  /** True where every address that fits is a page of the content: the server answers 404 to any other. */
  closed?: boolean;
}
