import { SearchBox } from "./search-box.tsx";

/** Shows the search box in the header. A separate file, so only admins load it. */
export default function HeaderSearch() {
  return <SearchBox look="header" />;
}
