/**
 * Builds the body of an operation with files among its variables, following the GraphQL multipart request specification. The
 * operation and the map come before the files, so that the server knows the purpose of each file when it arrives.
 */
export function buildMultipartBody(operation: object, variables: object): FormData {
  const files = Object.entries(variables).filter((entry): entry is [string, File] => entry[1] instanceof File);
  const places = Object.fromEntries(files.map(([name]) => [name, null]));
  const body = new FormData();
  body.append("operations", JSON.stringify({ ...operation, variables: { ...variables, ...places } }));
  body.append("map", JSON.stringify(Object.fromEntries(files.map(([name], index) => [index, [`variables.${name}`]]))));
  for (const [index, [, file]] of files.entries()) body.append(String(index), file, file.name);
  return body;
}
