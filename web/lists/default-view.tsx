import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { ViewedList } from "#schema/rules/saved-view.ts";
import { useSavedViewsQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/public-ui/loading-block.tsx";
import { pickListParams } from "./list-place.ts";

export interface DefaultViewProps {
  list: ViewedList;
  /** Names of the URL parameters that filter the list. */
  filters?: readonly string[];
  /** Renders the list with the parameters of the default view, or null if the list opens without one. */
  children: (view: URLSearchParams | null) => ReactNode;
}

/** Opens a list with the user's default view if the URL has no parameters of the list. */
export function DefaultView({ list, filters = [], children }: DefaultViewProps) {
  const [params] = useSearchParams();
  const [isBare] = useState(() => pickListParams(params, filters).size === 0);
  const { data, loading } = useSavedViewsQuery({ variables: { list }, skip: !isBare });
  if (loading && !data) return <LoadingBlock label="Loading the list" tall />;
  const view = data?.savedViews.find(({ isDefault }) => isDefault);
  return children(view ? new URLSearchParams(view.parameters) : null);
}
