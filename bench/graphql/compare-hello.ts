import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderFor } from "#bench/environment.ts";
import type { ProfileLoad } from "#bench/profile.ts";
import { formatContenders, judgeMedian } from "#bench/report.ts";
import { type Contender, runRounds, calculateSpread } from "#bench/rounds.ts";
import { startHelloServer, startProduct } from "#bench/servers.ts";
import type { Bench, Suite } from "#bench/suite.ts";
import { getAuthorization } from "#bench/timeline.ts";

const request = JSON.stringify({ query: "query Hello { __typename }" });
const expected = JSON.stringify({ data: { __typename: "Query" } });

/** Prepares signed-in queries to send while the product is profiled. */
export async function prepareHelloLoad({ environment }: Bench): Promise<ProfileLoad> {
  const file = join(folderFor(environment, "questions"), "hello");
  writeFileSync(file, `${request}\n`);
  return { path: "/graphql", file, authorization: getAuthorization };
}

/** H1 suite: compares the cost of a signed-in GraphQL query that reads no data with a hello response from plain Fastify. */
export const compareHello: Suite = async (bench) => {
  const { environment, data, generator, options, print } = bench;
  const database = await data.getDatabase("many");
  const client = await environment.connect(database);
  const { path, file } = await prepareHelloLoad(bench);
  // Don't limit the product's heap, because Fastify's isn't limited.
  const product = await startProduct(environment, database, { rateLimits: "off", heap: "as npm start" });
  const hello = await startHelloServer(environment);
  const load = { file, connections: options.connections };
  const contenders: Contender[] = [
    {
      name: "product",
      pid: product.pid,
      database: client,
      run: async (seconds) => {
        const authorization = await getAuthorization(product);
        return generator.send({ ...load, port: product.port, path, authorization }, seconds);
      },
    },
    {
      name: "hello",
      pid: hello.pid,
      database: client,
      run: (seconds) => generator.send({ ...load, port: hello.port, path: "/hello" }, seconds),
    },
  ];
  try {
    const faults: string[] = [];
    const text = await send(product.url, await getAuthorization(product));
    if (text !== expected) faults.push(`graphql/hello: the response is ${text.slice(0, 200)}`);
    const samples = await runRounds(contenders, options, print);
    print(formatContenders(samples));
    const [productSamples = [], helloSamples = []] = ["product", "hello"].map((name) => samples.get(name));
    if (productSamples.some(({ errors }) => errors > 0)) faults.push("graphql/hello: requests failed.");
    if (productSamples.some(({ statements }) => statements === 0))
      faults.push("graphql/hello: the session isn't checked.");
    // PostgreSQL's time for the session check is part of the product's cost.
    const spread = calculateSpread(
      productSamples.map(
        (one, round) => (one.serverMicros + one.postgresMicros) / (helloSamples[round]?.serverMicros ?? Number.NaN),
      ),
    );
    const name = "H1 processor time of a signed-in GraphQL query : Fastify's hello";
    return {
      suite: "graphql/hello",
      verdicts: [judgeMedian(name, spread, { most: 6 }, { goal: "4.5" })],
      faults,
    };
  } finally {
    await hello.stop();
    await product.stop();
    await client.end();
  }
};

async function send(url: string, authorization: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: request,
  });
  return (await response.text()).trim();
}
