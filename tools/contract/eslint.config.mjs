import graphql from "@graphql-eslint/eslint-plugin";

/** The rules that `@graphql-eslint` recommends for schemas, but for two. docs/decisions/0220 says why. */
export default [
  {
    files: ["**/*.graphql"],
    languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: process.env.SCHEMA } } },
    plugins: { "@graphql-eslint": graphql },
    rules: {
      ...graphql.configs["flat/schema-recommended"].rules,
      // A row of a report or a sum is a value; it has no identity. `measure-contract.ts` checks the ids that there are.
      "@graphql-eslint/strict-id-in-types": "off",
      // `licenceCode`, `commentDate` and six more are the specification's names, the same in REST, GraphQL and CSV.
      "@graphql-eslint/no-typename-prefix": "off",
    },
  },
];
