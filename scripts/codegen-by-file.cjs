// graphql-codegen preset: writes one module per .graphql file, so that a page loads only its own documents.
const path = require("node:path");
const { concatAST } = require("graphql");
const { hashText, printForApollo } = require("./operation-texts.cjs");

/** Returns the fragments of a document in the form that typed-document-node expects for fragments from other files. */
const toExternalFragments = (document) =>
  document.definitions
    .filter((definition) => definition.kind === "FragmentDefinition")
    .map((node) => ({ name: node.name.value, onType: node.typeCondition.name.value, node, isExternal: true }));

const filesWithOperations = (documents) => documents.filter(({ document }) => document.definitions.some(isOperation));

/**
 * Returns the configuration for the module of one file. Each document includes the hash under which the server knows
 * it.
 */
const buildFileConfig = (file, documents, config) => ({
  ...config,
  importOperationTypesFrom: "Types",
  externalFragments: toExternalFragments(concatAST(documents.filter((one) => one !== file).map((one) => one.document))),
  unstable_onExecutableDocumentNode: (document) => ({ hash: hashText(printForApollo(document)) }),
});

exports.filesWithOperations = filesWithOperations;
exports.buildFileConfig = buildFileConfig;

exports.preset = {
  buildGeneratesSection({ baseOutputDir, documents, config, plugins, pluginMap, schema, schemaAst }) {
    const files = filesWithOperations(documents);
    const names = files.map(({ location }) => path.basename(location, ".graphql"));
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice)
      throw new Error(
        `Two files are called ${twice}.graphql. Each module is named after its file, so rename one of them.`,
      );
    return files.map((file, index) => ({
      filename: path.join(baseOutputDir, `${names[index]}.ts`),
      documents: [file],
      plugins,
      pluginMap,
      schema,
      schemaAst,
      config: buildFileConfig(file, documents, config),
      skipDocumentsValidation: true,
    }));
  },
};

function isOperation(definition) {
  return definition.kind === "OperationDefinition";
}
