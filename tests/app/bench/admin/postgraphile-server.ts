import { createServer } from "node:http";
import process from "node:process";
import { grafserv } from "postgraphile/grafserv/node";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { postgraphile } from "postgraphile";

/**
 * What admins' reads are compared with: PostGraphile 5 over the same database with the same number of connections. It
 * signs nobody in, checks no rule and limits nothing.
 */
const { PORT, DATABASE_URL = "" } = process.env;
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  // Orders and relations over any column, indexed or not, as the product has them.
  disablePlugins: ["PgIndexBehaviorsPlugin"],
  pgServices: [makePgService({ connectionString: DATABASE_URL, schemas: ["public"], poolConfig: { max: 10 } })],
  grafserv: { graphqlPath: "/graphql", graphiql: false, graphiqlOnGraphQLGET: false, watch: false },
  grafast: { explain: false },
});
const server = createServer();
const served = instance.createServ(grafserv);
await served.addTo(server);
// The bench waits for the path by which the product says that it is ready.
const [handle] = server.listeners("request") as ((...args: unknown[]) => void)[];
server.removeAllListeners("request");
server.on("request", (request, response) => {
  if (request.url === "/health/ready") response.end("{}");
  else handle?.(request, response);
});
await instance.getSchema();
server.listen(Number(PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
process.on("disconnect", () => process.exit(0));
