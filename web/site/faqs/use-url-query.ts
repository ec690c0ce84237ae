import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/** Id of the search box in SearchHero. */
export const SEARCH_BOX = "search-query";

/** Delay in milliseconds between typing and updating the URL. */
const PAUSE = 300;

/** Returns a page's search. It is in the URL (`?query=invoice`), so users can share it and go back to it. */
export function useUrlQuery() {
  const [query, setQuery] = useState("");
  const { pathname, search } = useLocation();
  const navigate = useNavigate();

  const urlQuery = new URLSearchParams(search).get("query") ?? "";
  const lastUrlQuery = useRef("");
  useEffect(() => {
    if (urlQuery === lastUrlQuery.current) return;
    lastUrlQuery.current = urlQuery;
    setQuery(urlQuery);
  }, [urlQuery]);

  // The user may have typed before hydration.
  useEffect(() => {
    const box = document.getElementById(SEARCH_BOX);
    if (box instanceof HTMLInputElement && box.value) setQuery(box.value);
  }, []);

  useEffect(() => {
    if (query.trim() === lastUrlQuery.current) return;
    const timer = setTimeout(() => {
      lastUrlQuery.current = query.trim();
      const next = query.trim() ? `?${new URLSearchParams({ query: query.trim() }).toString()}` : "";
      void navigate(`${pathname}${next}`, { replace: true, preventScrollReset: true });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [query, pathname, navigate]);

  return [query, setQuery] as const;
}
