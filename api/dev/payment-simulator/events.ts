import { list, paging, range, text } from "./parameters.ts";
import { retrieval, route } from "./routes.ts";

/** Calls that read what happened, newest first. */
export const eventRoutes = [
  retrieval("/v1/events", "event"),
  route("GET", "/v1/events", { type: text, types: list(text), created: range, ...paging }, async (tx, { params }) => {
    const types = params.types ?? (params.type === undefined ? undefined : [params.type]);
    return tx.page("event", { created: params.created, types }, params, "/v1/events");
  }),
];
