import { SearchBox } from "./search-box.tsx";

/** The search as the header shows it; in a file of its own, so that it loads for admins alone. */
export default function HeaderSearch() {
  return <SearchBox look="header" />;
}
