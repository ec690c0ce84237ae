import { request } from "node:http";

/** What came back for an address sent as it is. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}

/** Sends the path as it is; `fetch` would tidy it up first. */
export function getRaw(url: string, path: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
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
}
