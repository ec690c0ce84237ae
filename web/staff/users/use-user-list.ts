import { loadOpened, type UrlList, useUrlList } from "#web/ui/lists/use-url-list.ts";
import { loadLastFilter, readFilterFromUrl, toUrlParams, type UserFilter, userFilterParams } from "./user-filter.ts";

const DEFAULT_PAGE_SIZE = 10;
const REMEMBERED_AS = "users";

/**
 * Returns the state of the list of users, with the filter in its URL. A visit without parameters opens the default view, or
 * the last filter.
 */
export function useUserList(view: URLSearchParams | null): { list: UrlList; filter: UserFilter } {
  const list = useUrlList({
    pageSize: DEFAULT_PAGE_SIZE,
    rememberAs: REMEMBERED_AS,
    filters: userFilterParams,
    complete: (params) => toUrlParams(readFilterFromUrl(params), params),
    open: () => view ?? openLastFilter(),
  });
  return { list, filter: readFilterFromUrl(list.params) };
}

function openLastFilter(): URLSearchParams | null {
  const last = loadLastFilter();
  return last && loadOpened(REMEMBERED_AS, DEFAULT_PAGE_SIZE, toUrlParams(last));
}
