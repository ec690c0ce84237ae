// graphql-codegen plugin: the manifest of the portal's operations, hash → text, by which the server knows them
// (docs/decisions/0052). The documents are those of the modules that codegen-by-file.cjs makes, fragments in their order.
const { plugin: writeDocuments } = require("@graphql-codegen/typed-document-node");
const { configOfFile, filesWithOperations } = require("./codegen-by-file.cjs");
const { hashOfText, plainText, textByApollo } = require("./operation-texts.cjs");

module.exports = {
  plugin(schema, documents, config) {
    const texts = new Map();
    const note = (document) => {
      for (const text of [textByApollo(document), plainText(document)]) texts.set(text, hashOfText(text));
      return {};
    };
    for (const file of filesWithOperations(documents))
      void writeDocuments(schema, [file], {
        ...configOfFile(file, documents, config),
        unstable_onExecutableDocumentNode: note,
      });
    // By text and not by hash: what changes in one operation shows beside what it was.
    const entries = [...texts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([text, hash]) => [hash, text]);
    return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  },
};
