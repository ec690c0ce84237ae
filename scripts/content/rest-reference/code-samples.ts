import type { Call, Content } from "./read-reference.ts";

/** Code samples of a call. */
export interface Samples {
  readonly curl: string;
  readonly javascript: string;
  readonly csharp: string;
}

/** Placeholder for the site's URL, which the server inserts (decision 0046). */
export const SITE = "%PUBLIC_URL%";

/** Returns code samples of a call, ready to copy. The reader fills in `TOKEN` and names in capitals. */
export function buildSamples(call: Call): Samples {
  // The recommended content type comes first.
  const [body] = call.bodies;
  const input = {
    call,
    body: body?.example === undefined && body && isJson(body) ? undefined : body,
    url: buildUrl(call),
  };
  return { curl: buildCurl(input), javascript: buildJavaScript(input), csharp: buildCSharp(input) };
}

interface SampleInput {
  readonly call: Call;
  readonly body: Content | undefined;
  readonly url: string;
}

const isForm = ({ type }: Content) => type.startsWith("multipart/");
const isJson = ({ type }: Content) => type.includes("json");
/** Returns whether the body is the file itself and not a form or JSON. */
const isStream = (body: Content) => !isForm(body) && !isJson(body);

function getFileName({ parameters }: Call): string {
  const named = parameters.find(({ name }) => name === "fileName")?.example;
  return typeof named === "string" ? named : "FILE";
}
const isFile = ({ responses }: Call) => responses.some(({ content }) => content?.words.text === "file");

/**
 * Replaces the parameters of the path and query with their examples, or with a placeholder such as `USER_ID` for
 * `{userId}`.
 */
function buildUrl({ path, parameters }: Call): string {
  const formatParameter = (name: string, example: unknown) =>
    typeof example === "string" || typeof example === "number"
      ? encodeURIComponent(example)
      : name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    formatParameter(name, parameters.find((one) => one.name === name)?.example),
  );
  const query = parameters
    .filter(({ place, required, example }) => place === "query" && (required || example !== undefined))
    .map(({ name, example }) => `${name}=${formatParameter(name, example)}`);
  return `${SITE}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

function buildCurl({ call, body, url }: SampleInput): string {
  const isSent = body !== undefined;
  const lines = [
    `curl ${call.method === (isSent ? "POST" : "GET") ? "" : `-X ${call.method} `}"${url}"`,
    ...(call.access === "signedIn" ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(isFile(call) ? ["-OJ"] : []),
    ...(body && isForm(body) ? getFormParts(body).map(({ name, value }) => `-F "${name}=${value}"`) : []),
    ...(body && isStream(body) ? [`-H "Content-Type: ${body.type}"`, `--data-binary @${getFileName(call)}`] : []),
    ...(body && isJson(body)
      ? [`-H "Content-Type: ${body.type}"`, `-d '${toJson(body.example).replaceAll("'", String.raw`'\''`)}'`]
      : []),
  ];
  return lines.join(" \\\n  ");
}

/** Returns the parts of a form's example: names of files, and texts. */
function getFormParts({ fields, example }: Content): readonly { name: string; value: string; isFile: boolean }[] {
  const given = Object.entries((example ?? {}) as Readonly<Record<string, unknown>>);
  return given.map(([name, value]) => {
    const isFile = fields.find((field) => field.name === name)?.type.text === "file";
    return { name, value: `${isFile ? "@" : ""}${String(value)}`, isFile };
  });
}

const toJson = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

function buildJavaScript({ call, body, url }: SampleInput): string {
  const headers = [
    ...(call.access === "signedIn" ? ["Authorization: `Bearer ${token}`"] : []),
    ...(body && !isForm(body) ? [`"Content-Type": "${body.type}"`] : []),
  ];
  const options = [
    ...(call.method === "GET" ? [] : [`method: "${call.method}"`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(", ")} }`] : []),
    ...(body
      ? [
          isForm(body)
            ? "body: form"
            : isStream(body)
              ? "body: file"
              : `body: JSON.stringify(${toLiteral(body.example)})`,
        ]
      : []),
  ];
  const init =
    options.length > 0 ? `, {\n${options.map((one) => `  ${one.replaceAll("\n", "\n  ")},\n`).join("")}}` : "";
  const form =
    body && isForm(body)
      ? `const form = new FormData();\n${getFormParts(body)
          .map((part) => `form.append("${part.name}", ${part.isFile ? `${part.name}File` : `"${part.value}"`});\n`)
          .join("")}\n`
      : "";
  return `${form}const response = await fetch("${url}"${init});\n${buildJavaScriptRead(call)}`;
}

/** A response without a body isn't JSON, so reading it would throw. */
function buildJavaScriptRead(call: Call): string {
  if (isFile(call)) return "const file = await response.blob();";
  const hasEmpty = call.responses.some(({ status }) => status === "204");
  return `const data = ${hasEmpty ? "response.status === 204 ? null : " : ""}await response.json();`;
}

/** Formats JSON as a JavaScript literal, with unquoted names where possible. */
const toLiteral = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? "undefined").replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");

const frameworkMethods: Readonly<Record<string, string>> = {
  GET: "HttpMethod.Get",
  POST: "HttpMethod.Post",
  PUT: "HttpMethod.Put",
  DELETE: "HttpMethod.Delete",
};

/**
 * Builds a sample in C# 7.3 for .NET Framework 4.6.2 and newer, which the add-in's developers use.
 * The chapter "Examples" shows the declarations that it needs.
 */
function buildCSharp({ call, body, url }: SampleInput): string {
  const method = frameworkMethods[call.method] ?? `new HttpMethod("${call.method}")`;
  const lines: string[] = [];
  if (call.access === "signedIn")
    lines.push('request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);');
  if (body && isForm(body)) {
    lines.push("var form = new MultipartFormDataContent();");
    for (const part of getFormParts(body))
      lines.push(
        part.isFile
          ? `form.Add(new StreamContent(File.OpenRead(${part.name}Path)), "${part.name}", Path.GetFileName(${part.name}Path));`
          : `form.Add(new StringContent("${part.value}"), "${part.name}");`,
      );
    lines.push("request.Content = form;");
  } else if (body && isStream(body)) {
    lines.push(`request.Content = new StreamContent(File.OpenRead("${getFileName(call)}"));`);
    lines.push(`request.Content.Headers.ContentType = new MediaTypeHeaderValue("${body.type}");`);
  } else if (body) {
    const json = `@"${toJson(body.example).replaceAll('"', '""')}"`;
    lines.push(`request.Content = new StringContent(${json}, Encoding.UTF8, "${body.type}");`);
  }
  const read = isFile(call)
    ? "var file = await response.Content.ReadAsByteArrayAsync();"
    : "var json = await response.Content.ReadAsStringAsync();";
  lines.push("using (var response = await http.SendAsync(request))", ...buildBlock([read]));
  return [`using (var request = new HttpRequestMessage(${method}, "${url}"))`, ...buildBlock(lines)].join("\n");
}

/** Indents lines and wraps them in braces. */
const buildBlock = (lines: readonly string[]): string[] => [
  "{",
  ...lines.flatMap((text) => text.split("\n")).map((line) => `    ${line}`),
  "}",
];
