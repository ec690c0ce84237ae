import { request } from "node:http";

/** Response to a request whose path is sent unchanged. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}

/** Requests a path without the normalisation that `fetch` applies. */
export const getRaw = (url: string, path: string): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, type: response.headers["content-type"] ?? "" }),
      );
    })
      .on("error", reject)
      .end();
  });
