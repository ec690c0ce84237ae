import { createServer } from "node:http";
import process from "node:process";
import { grafserv } from "postgraphile/grafserv/node";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { postgraphile } from "postgraphile";

/**
 * Baseline server for admin reads: PostGraphile 5 on the same database with the same number of connections, but without
 * sign-in, permission checks or limits.
 */
const { PORT, DATABASE_URL = "" } = process.env;
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  // Allow sorting and relations on any column, indexed or not, as the product does.
  disablePlugins: ["PgIndexBehaviorsPlugin"],
  pgServices: [makePgService({ connectionString: DATABASE_URL, schemas: ["public"], poolConfig: { max: 10 } })],
  grafserv: { graphqlPath: "/graphql", graphiql: false, graphiqlOnGraphQLGET: false, watch: false },
  grafast: { explain: false },
});
const server = createServer();
const served = instance.createServ(grafserv);
await served.addTo(server);
// The benchmark polls the same readiness path on every server.
const [handle] = server.listeners("request");
server.removeAllListeners("request");
server.on("request", (request, response) => {
  if (request.url === "/health/ready") response.end("{}");
  else handle?.(request, response);
});
await instance.getSchema();
server.listen(Number(PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
process.on("disconnect", () => process.exit(0));
