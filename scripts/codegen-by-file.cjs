// graphql-codegen preset: one module a .graphql file, so that a page loads its own documents and nobody else's (docs/decisions/0041).
const path = require("node:path");
const { concatAST } = require("graphql");
const { hashOfText, textByApollo } = require("./operation-texts.cjs");

/** Fragments of an AST as typed-document-node takes those of other files. */
const fragmentsOf = (document) =>
  document.definitions
    .filter((definition) => definition.kind === "FragmentDefinition")
    .map((node) => ({ name: node.name.value, onType: node.typeCondition.name.value, node, isExternal: true }));

const filesWithOperations = (documents) => documents.filter(({ document }) => document.definitions.some(isOperation));

/** Configuration for the module of one file: each of its documents carries the hash by which the server knows it. */
const configOfFile = (file, documents, config) => ({
  ...config,
  importOperationTypesFrom: "Types",
  externalFragments: fragmentsOf(concatAST(documents.filter((one) => one !== file).map((one) => one.document))),
  unstable_onExecutableDocumentNode: (document) => ({ hash: hashOfText(textByApollo(document)) }),
});

exports.filesWithOperations = filesWithOperations;
exports.configOfFile = configOfFile;

exports.preset = {
  buildGeneratesSection({ baseOutputDir, documents, config, plugins, pluginMap, schema, schemaAst }) {
    const files = filesWithOperations(documents);
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
      config: configOfFile(file, documents, config),
      skipDocumentsValidation: true,
    }));
  },
};

function isOperation(definition) {
  return definition.kind === "OperationDefinition";
}
