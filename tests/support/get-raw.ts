import { request } from "node:http";

/** Requests a path without the normalisation that `fetch` applies. */
export const getRaw = (url: string, path: string) =>
  new Promise<{ status: number; text: string; type: string }>((resolve, reject) => {
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
