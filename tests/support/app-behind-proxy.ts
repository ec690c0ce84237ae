import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { startTestApp, type TestApp } from "./test-app.ts";

/** Starts an app that reaches its database through a proxy, which can make the database look unavailable. */
export async function startAppBehindProxy(): Promise<{ app: TestApp; proxy: TcpProxy }> {
  let proxy: TcpProxy | undefined;
  const app = await startTestApp({}, async (database) => {
    // Clean-ups run in reverse order, so the proxy ends after the app has closed its connections.
    proxy = await startTcpProxy({ path: `${database.host}/.s.PGSQL.${database.port}` });
    return { ...database, host: "127.0.0.1", port: proxy.port };
  });
  return { app, proxy: proxy as TcpProxy };
}
