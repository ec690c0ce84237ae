import type { ReactNode } from "react";
import { formatError } from "#web/platform/server-error.ts";
import { LoadingBlock } from "./loading-block.tsx";
import { ErrorState } from "./message-state.tsx";

/** The parts of a query's result that {@link Loaded} shows. */
export interface LoadedQuery<TData> {
  readonly data?: TData | undefined;
  readonly error?: unknown;
  readonly refetch: () => Promise<unknown>;
}

export interface LoadedProps<TData> {
  query: LoadedQuery<TData>;
  /** Message if the query fails and the API gives no better one. */
  failure: string;
  /** What is happening while there is no data, such as `Loading your sessions`. */
  loading?: string;
  /** Reserves the height of a whole page while loading. */
  tall?: boolean;
  /** Content once there is data. A component that returns early without data leaves it out. */
  children?: (data: TData) => ReactNode;
}

/** Content that a query loads: a loading block, the failure with Try again, or the content. Data outlasts a later failure. */
export function Loaded<TData>({ query, failure, loading, tall = false, children }: LoadedProps<TData>): ReactNode {
  const { data, error, refetch } = query;
  if (data !== undefined && children) return children(data);
  if (!error) return <LoadingBlock label={loading} tall={tall} />;
  return <ErrorState message={formatError(error, failure)} onRetry={refetch} />;
}
