import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { TableList } from "./use-client-list.ts";

const TYPING_PAUSE_MS = 250;

/** A list of which the api searches and pages the rows, newest first. */
export interface RemoteList {
  /** What to ask the api for; `search` follows after a pause in typing. */
  filter: { search: string | null; offset: number; limit: number };
  /** The table's view of an answer. */
  listOf: <TRow>(answer: { rows: readonly TRow[]; total: number } | undefined) => TableList<TRow>;
}

/** Search, page and page size of a remote list. */
export function useRemoteList(firstSize = 10): RemoteList {
  const [query, setQuery] = useState("");
  const [pageNumber, goToPage] = useState(1);
  const [pageSize, setPageSize] = useState(firstSize);
  const [asked] = useDebouncedValue(query.trim(), TYPING_PAUSE_MS);

  return {
    filter: { search: asked || null, offset: (pageNumber - 1) * pageSize, limit: pageSize },
    listOf: (answer) => ({
      query,
      search: (next) => {
        setQuery(next);
        goToPage(1);
      },
      sort: null,
      sortByColumn: null,
      page: answer?.rows ?? [],
      total: answer?.total ?? 0,
      pageNumber,
      pageCount: Math.max(1, Math.ceil((answer?.total ?? 0) / pageSize)),
      goToPage,
      pageSize,
      changePageSize: (size) => {
        setPageSize(size);
        goToPage(1);
      },
    }),
  };
}
