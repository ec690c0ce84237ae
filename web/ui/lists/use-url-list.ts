import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { type ListState, useVisiblePageSize } from "#web/ui/table/use-list-table.ts";
import {
  type ListPlace,
  type ListSettings,
  parseListSettings,
  pickListParams,
  readPlace,
  replaceListParams,
  writePlace,
} from "./list-place.ts";
import { browserStorage } from "#web/platform/storage.ts";

/** Pause in typing after which the URL and the API receive the search, in milliseconds. */
const TYPING_PAUSE_MS = 250;

export interface UrlListOptions {
  /** Rows per page until the user changes it. Default 20; users, contacts, licences, comments and promo codes use 10. */
  pageSize?: number;
  /** False if the order is fixed. */
  sortable?: boolean;
  /** Name under which the browser stores order, page size and hidden columns. Adds the column picker. */
  rememberAs?: string;
  /** Names of the URL parameters that filter the list. Their values are {@link UrlList.params}. */
  filters?: readonly string[];
  /** Adds filter parameters that are implied, so that a copied link doesn't depend on the reader's settings. */
  complete?: (params: URLSearchParams) => URLSearchParams;
  /** Parameters of a visit without any in the URL. Null for the default list, which keeps its short URL. */
  open?: () => URLSearchParams | null;
}

/** A list whose search, filter, order, page, page size and hidden columns are in the URL. */
export interface UrlList extends ListState {
  /** The list's URL parameters, or the remembered ones if the URL has none. */
  readonly params: URLSearchParams;
  readonly place: ListPlace;
  /** Replaces all parameters of the list and returns to page 1. */
  apply: (params: URLSearchParams) => void;
}

/**
 * Keeps the state of a list in the URL: Back restores it and a copied link shows the same list. Typing in the search
 * replaces the current history entry; every other change adds one.
 */
export function useUrlList(options: UrlListOptions = {}): UrlList {
  const { pageSize: defaultSize = 20, sortable = true, rememberAs, filters = [], complete, open } = options;
  const location = useLocation();
  const navigate = useNavigate();
  const [address, setAddress] = useState(location.search);
  // Text in the search box that may be newer than the URL, or null.
  const [typed, setTyped] = useState<string | null>(null);
  // Address of the browser when the location was rendered. It differs while the router loads another page.
  const shownAt = useRef("");
  // The router changes its location in a transition. A query with other variables in a transition would be sent again and
  // again, so they change only after it.
  useLayoutEffect(() => {
    shownAt.current = window.location.href;
    setAddress(location.search);
    if (location.search !== address) setTyped(null);
    // oxlint-disable-next-line react/exhaustive-deps -- only a new location counts, such as Back or a link
  }, [location]);

  const shown = new URLSearchParams(address);
  const own = pickListParams(shown, filters);
  const [opened, setOpened] = useState(() => (own.size > 0 ? null : (open?.() ?? loadOpened(rememberAs, defaultSize))));
  const params = opened ?? own;
  const place = readPlace(params, defaultSize);
  const query = typed ?? place.search;
  const search = query.trim();
  const isPending = search !== place.search;

  function goTo(next: URLSearchParams, replace: boolean) {
    // The list may replace its address after the user has started a navigation, which must not cancel that navigation.
    if (replace && window.location.href !== shownAt.current) return;
    const text = String(replaceListParams(shown, filters, next));
    setAddress(text && `?${text}`);
    void navigate({ search: text, hash: location.hash }, { replace, state: location.state });
  }

  function write(changes: Partial<ListPlace>, replace = false, from = params) {
    const next = complete ? complete(new URLSearchParams(from)) : new URLSearchParams(from);
    writePlace(next, { ...readPlace(from, defaultSize), search, pageNumber: 1, ...changes }, defaultSize);
    goTo(next, replace);
  }

  /** Writes a setting that the browser remembers for the next visit. */
  function writeSetting(changes: Partial<ListSettings>, pageNumber = 1) {
    const { sort, pageSize, hidden } = { ...place, ...changes };
    if (rememberAs !== undefined) saveListSettings(rememberAs, { sort, pageSize, hidden });
    write({ ...changes, pageNumber });
  }

  // A list that opens with stored settings gets them in its URL, so that the URL can be copied.
  const writeOpened = useEffectEvent(() => {
    if (opened && opened.size > 0) goTo(opened, true);
    setOpened(null);
  });
  useEffect(() => writeOpened(), []);

  const writeSearch = useEffectEvent(() => write({}, true));
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => writeSearch(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isPending, search, location]);

  return {
    params,
    place,
    query,
    search: setTyped,
    sort: sortable ? place.sort : null,
    changeSort: sortable ? (sort) => writeSetting({ sort }) : null,
    pageNumber: isPending ? 1 : place.pageNumber,
    goToPage: (pageNumber, replace) => write({ pageNumber }, replace),
    pageSize: useVisiblePageSize(place.pageSize),
    changePageSize: (pageSize) => writeSetting({ pageSize }),
    hidden: place.hidden,
    isFiltered: filters.some((name) => params.has(name)),
    hideColumns: rememberAs === undefined ? null : (hidden) => writeSetting({ hidden }, place.pageNumber),
    apply: (next) => {
      setTyped(null);
      write({ search: next.get("q") ?? "" }, false, next);
    },
  };
}

/** Returns parameters with the remembered order, page size and hidden columns of a list. */
export function loadOpened(rememberAs: string | undefined, defaultSize: number, params = new URLSearchParams()) {
  const settings = rememberAs === undefined ? null : loadListSettings(rememberAs, parseListSettings);
  writePlace(params, settings ?? {}, defaultSize);
  return params;
}

const PREFIX = "list:";

/** Returns the stored settings of a list, or null if there are none that `read` accepts. */
export function loadListSettings<TSettings>(
  name: string,
  read: (kept: Record<string, unknown>) => TSettings,
): TSettings | null {
  try {
    const kept: unknown = JSON.parse(browserStorage.get(PREFIX + name) ?? "null");
    return typeof kept === "object" && kept !== null ? read(kept as Record<string, unknown>) : null;
  } catch {
    // Ignore malformed data.
    return null;
  }
}

/** Stores the settings of a list until the user signs out. */
export function saveListSettings(name: string, settings: Readonly<Record<string, unknown>>): void {
  browserStorage.set(PREFIX + name, JSON.stringify(settings));
}
