import { setTimeout as sleep } from "node:timers/promises";

/** Counts of a load run. */
export interface LoadResult {
  readonly requests: number;
  /** Requests without a response, or with a status of 500 or above. */
  readonly failed: number;
  readonly slowestMs: number;
  /** Number of responses by status; 0 stands for none. */
  readonly statuses: Readonly<Record<number, number>>;
}

export interface RunningLoad {
  stop(): Promise<LoadResult>;
}

const password = "Demo-pass-1";

/** Builds a request with a JSON body. */
export const post = (body: object, token?: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
  body: JSON.stringify(body),
});

/**
 * Signs in a demo account and returns its access token and id.
 * @throws Error if ten attempts fail
 */
export async function signIn(url: string, email: string): Promise<{ token: string; userId: string }> {
  const body = { UserName: email, Password: password, ClientId: "portal", GrantType: "password" };
  for (let attempt = 0; attempt < 10; attempt++) {
    const response = await fetch(`${url}/v1/core/auth/token`, post(body));
    const { access_token: token = "" } = (await response.json()) as { access_token?: string };
    const me = await fetch(`${url}/graphql`, post({ query: "{ me { id } }" }, token));
    const { data } = (await me.json()) as { data?: { me: { id: string } | null } };
    if (data?.me) return { token, userId: data.me.id };
    await sleep(1_000);
  }
  throw new Error(`${email} could not sign in.`);
}

/**
 * Sends requests from `clients` concurrent clients until it is stopped: pages, REST reads, GraphQL, and writes.
 * @param queries GraphQL queries that an admin sends, too
 */
export async function startLoad(url: string, clients: number, queries: readonly string[] = []): Promise<RunningLoad> {
  const { token, userId } = await signIn(url, "ada@demo.test");
  const admin = queries.length > 0 ? await signIn(url, "admin@demo.test") : null;
  const calls: (() => [string, RequestInit])[] = [
    () => ["/health/live", {}],
    () => [`/v1/core/accounts/${userId}/profile`, { headers: { authorization: `Bearer ${token}` } }],
    () => ["/graphql", post({ query: "{ me { id email } }" }, token)],
    () => [
      "/v1/core/auth/token",
      post({ UserName: "new@demo.test", Password: password, ClientId: "portal", GrantType: "password" }),
    ],
    ...queries.map((query) => () => ["/graphql", post({ query }, admin?.token)] as [string, RequestInit]),
  ];
  let isRunning = true;
  let requests = 0;
  let failed = 0;
  let slowestMs = 0;
  const statuses: Record<number, number> = {};
  const runClient = async (client: number): Promise<void> => {
    for (let turn = client; isRunning; turn++) {
      const [path, init] = (calls[turn % calls.length] as (typeof calls)[number])();
      const startedAt = performance.now();
      const status = await fetch(url + path, init).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => 0,
      );
      requests++;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 0 || status >= 500) failed++;
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      await sleep(15);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
  return {
    async stop() {
      isRunning = false;
      await running;
      return { requests, failed, slowestMs: Math.round(slowestMs), statuses };
    },
  };
}
