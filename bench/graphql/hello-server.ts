import Fastify from "fastify";
import process from "node:process";

/** Server that shows the minimum cost of a request: Fastify reads a small body and responds without sign-in or logging. */
const app = Fastify();
app.get("/health/ready", () => ({}));
app.post("/hello", () => ({ data: { hello: "world" } }));
process.on("SIGTERM", () => process.exit(0));
process.on("disconnect", () => process.exit(0));
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
