/** An operation of the portal that scripts/operation-plugin.ts creates from its file. */
declare module "*.graphql?operation" {
  const operation: import("./post-graphql.ts").PostedOperation;
  export default operation;
}
