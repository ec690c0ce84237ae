/** One operation of the portal, made of its file by scripts/operation-plugin.ts. */
declare module "*.graphql?operation" {
  const operation: import("./post-graphql.ts").PostedOperation;
  export default operation;
}
