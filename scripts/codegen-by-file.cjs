// graphql-codegen preset: one module a .graphql file, so that a page loads its own documents and nobody else's (docs/decisions/0041).
const path = require("node:path");
const { concatAST } = require("graphql");

/** Fragments of an AST as typed-document-node takes those of other files. */
const fragmentsOf = (document) =>
  document.definitions
    .filter((definition) => definition.kind === "FragmentDefinition")
    .map((node) => ({ name: node.name.value, onType: node.typeCondition.name.value, node, isExternal: true }));

exports.preset = {
  buildGeneratesSection({ baseOutputDir, documents, config, plugins, pluginMap, schema, schemaAst }) {
    const files = documents.filter(({ document }) => document.definitions.some(isOperation));
    const names = files.map(({ location }) => path.basename(location, ".graphql"));
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice) throw new Error(`Two files are called ${twice}.graphql; the module of each is named after it.`);
    return files.map((file, index) => ({
      filename: path.join(baseOutputDir, `${names[index]}.ts`),
      documents: [file],
      plugins,
      pluginMap,
      schema,
      schemaAst,
      config: {
        ...config,
        importOperationTypesFrom: "Types",
        externalFragments: fragmentsOf(concatAST(documents.filter((one) => one !== file).map((one) => one.document))),
      },
      skipDocumentsValidation: true,
    }));
  },
};

function isOperation(definition) {
  return definition.kind === "OperationDefinition";
}
