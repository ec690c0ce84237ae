// graphql-codegen plugin: writes the manifest of the portal's operations, hash → text (docs/decisions/0052). The
// documents are the same as in the modules that codegen-by-file.cjs writes, with fragments in the same order.
const { plugin: writeDocuments } = require("@graphql-codegen/typed-document-node");
const { buildFileConfig, filesWithOperations } = require("./codegen-by-file.cjs");
const { hashText, printPlain, printForApollo } = require("./operation-texts.cjs");

module.exports = {
  plugin(schema, documents, config) {
    const texts = new Map();
    const record = (document) => {
      for (const text of [printForApollo(document), printPlain(document)]) texts.set(text, hashText(text));
      return {};
    };
    for (const file of filesWithOperations(documents))
      void writeDocuments(schema, [file], {
        ...buildFileConfig(file, documents, config),
        unstable_onExecutableDocumentNode: record,
      });
    // Entries are sorted by text, so that a diff shows the old and new text of an operation next to each other.
    const entries = [...texts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([text, hash]) => [hash, text]);
    return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  },
};
